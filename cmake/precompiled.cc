// Holds the precompiled headers that other targets use.
