// Graphs for tests of views.

export { testGraph } from '../model/test_graph.ts';
