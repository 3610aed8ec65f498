# A guest of 512 bytes that proves what becomes of its writes. It writes record 1, 2, 3, ... to each of its disks, record n
# to sector base + n % slots (BIOS int 13h, AH=43h), and after each one says "H <n> <ticks>" on its first serial port, or
# "E" instead of "H" when a write failed; then it halts for `pace` timer ticks. A record is the word "TKVM", n,
# and n ^ i in each further 32-bit word i. Parameters are at 0x1e0 of the image, for records.hpp to set.
    .code16
    .globl _start
_start:
    ljmp $0, $1f
1:  cli
    xorw %ax, %ax
    movw %ax, %ds
    movw %ax, %es
    movw %ax, %ss
    movw $0x7c00, %sp
    cld
    movb %dl, drive
    # PIT channel 0, mode 2, divisor from pitdiv
    movb $0x34, %al
    outb %al, $0x43
    movw pitdiv, %ax
    outb %al, $0x40
    movb %ah, %al
    outb %al, $0x40
    # COM1 115200 8n1
    movw $0x3fb, %dx
    movb $0x80, %al
    outb %al, %dx
    movw $0x3f8, %dx
    movb $1, %al
    outb %al, %dx
    incw %dx
    xorb %al, %al
    outb %al, %dx
    movw $0x3fb, %dx
    movb $3, %al
    outb %al, %dx
    sti
    movb $'B', %al
    call putc
    movb $'\n', %al
    call putc
loop:
    incl n
    # fill buffer at 0x8000: dword i = n ^ i ; dword 0 = magic, dword1 = n
    movw $0x8000, %di
    xorl %ecx, %ecx
2:  movl n, %eax
    xorl %ecx, %eax
    stosl
    incl %ecx
    cmpl $128, %ecx
    jne 2b
    movl $0x4d564b54, 0x8000      # "TKVM"
    movl n, %eax
    movl %eax, 0x8004
    # lba = base + n % slots
    xorl %edx, %edx
    movl slots, %ebx
    divl %ebx
    addl base, %edx
    movl %edx, dap_lba
    movb $'H', %bh
    movb drive, %dl
    movw disks, %cx
3:  movw $1, dap + 2              # the BIOS says there how many it has written
    movw $0x4300, %ax
    movw $dap, %si
    int $0x13
    jnc 12f
    movb $'E', %bh                # write error: E instead of H
12: incw %dx
    loop 3b
    movb %bh, %al
    call putc
    movb $' ', %al
    call putc
    movl n, %ebx
    call hex32
    movb $' ', %al
    call putc
    movl 0x46c, %ebx
    call hex32
    movb $'\n', %al
    call putc
    # dirty `dpages` pages of the `dtop` pages above 1 MiB (flat "unreal mode" fs)
    movl dpages, %ecx
    cmpl $1, n                    # first record: touch the whole range once (prefill)
    jne 11f
    movl dtop, %ecx
11: jecxz 9f
    cli
    lgdt gdtr
    movl %cr0, %eax
    orb $1, %al
    movl %eax, %cr0
    movw $8, %bx
    movw %bx, %fs
    andb $0xfe, %al
    movl %eax, %cr0
    xorw %bx, %bx
    movw %bx, %fs
    sti
8:  movl cursor, %eax
    incl %eax
    cmpl dtop, %eax
    jb 10f
    xorl %eax, %eax
10: movl %eax, cursor
    shll $12, %eax
    movl n, %edx
    addl $0x100000, %eax
    movl %edx, %fs:(%eax)
    decl %ecx
    jnz 8b
9:  movw pace, %cx
    testw %cx, %cx
    jz loop
4:  sti
    hlt
    decw %cx
    jnz 4b
    jmp loop

hex32:                            # ebx -> 8 hex digits
    movw $8, %cx
5:  roll $4, %ebx
    movb %bl, %al
    andb $15, %al
    addb $'0', %al
    cmpb $'9', %al
    jbe 6f
    addb $39, %al
6:  call putc
    loop 5b
    ret
putc:                             # al -> COM1, waits for THRE
    pushw %dx
    movb %al, %ah
    movw $0x3fd, %dx
7:  inb %dx, %al
    testb $0x20, %al
    jz 7b
    movb %ah, %al
    movw $0x3f8, %dx
    outb %al, %dx
    popw %dx
    ret
n:      .long 0
cursor: .long 0
gdt:    .quad 0, 0x00cf92000000ffff
gdtr:   .word 15
        .long gdt
drive:  .byte 0
    .balign 4
dap:    .byte 16, 0
        .word 1
        .word 0x8000, 0
dap_lba: .long 0, 0
    .org 0x1e0                    # patchable parameters, offset 480..
base:   .long 64                  # 0x1e0 first LBA
slots:  .long 1024                # 0x1e4 number of LBAs
pitdiv: .word 11932               # 0x1e8 1193182/div = 100 Hz
pace:   .word 1                   # 0x1ea ticks to HLT between records (0 = flat out)
dtop:   .long 0                   # 0x1ec pages in the dirtied range above 1 MiB
dpages: .long 0                   # 0x1f0 pages dirtied per record
disks:  .long 1                   # 0x1f4 disks to write to, from the first on
    .org 0x1fe
    .word 0xaa55
