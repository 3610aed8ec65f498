// Gives the precompiled headers of the tests targets of their own.
