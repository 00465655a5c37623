#include "lint/run.h"
int main_unused_run;
