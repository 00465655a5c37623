// The least a C++ program costs: start, link, exit. What `planex summary` is measured beside.
int main() { return 0; }
