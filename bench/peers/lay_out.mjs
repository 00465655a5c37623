// Lays one graph out with dagre or elkjs and says how long the layout alone took.
//
//   node lay_out.mjs dagre|elk GRAPH.json OUTPUT.json RUNS
//
// GRAPH.json is {"options": {"box_gap", "rank_gap"}, "boxes": [{"width", "height"}], "edges":
// [{"from", "to"}]}, by index; the output {"ms": [one a run], "routes": [[[x, y], …] per edge],
// "width", "height"}. Each run lays out a graph made anew; the first one carries the compiler.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

const peers = {
  dagre() {
    const dagre = require('@dagrejs/dagre');
    return {
      prepare(input) {
        const graph = new dagre.graphlib.Graph({ multigraph: true });
        graph.setGraph({
          rankdir: 'TB',
          nodesep: input.options.box_gap,
          ranksep: input.options.rank_gap,
        });
        input.boxes.forEach((box, index) => {
          graph.setNode(String(index), { width: box.width, height: box.height });
        });
        input.edges.forEach((edge, index) => {
          graph.setEdge(String(edge.from), String(edge.to), {}, String(index));
        });
        return graph;
      },
      run(graph) {
        dagre.layout(graph);
        return graph;
      },
      result(graph) {
        const routes = [];
        for (const edge of graph.edges()) {
          routes[Number(edge.name)] = graph.edge(edge).points.map(({ x, y }) => [x, y]);
        }
        const { width, height } = graph.graph();
        return { routes, width, height };
      },
    };
  },

  elk() {
    const ELK = require('elkjs/lib/elk.bundled.js');
    const elk = new ELK();
    return {
      prepare(input) {
        return {
          id: 'graph',
          layoutOptions: {
            'elk.algorithm': 'layered',
            'elk.direction': 'DOWN',
            'elk.edgeRouting': 'ORTHOGONAL',
            'elk.spacing.nodeNode': String(input.options.box_gap),
            'elk.layered.spacing.nodeNodeBetweenLayers': String(input.options.rank_gap),
          },
          children: input.boxes.map((box, index) => ({
            id: `n${index}`,
            width: box.width,
            height: box.height,
          })),
          edges: input.edges.map((edge, index) => ({
            id: `e${index}`,
            sources: [`n${edge.from}`],
            targets: [`n${edge.to}`],
          })),
        };
      },
      run(graph) {
        return elk.layout(graph);
      },
      result(graph) {
        const routes = [];
        for (const edge of graph.edges) {
          routes[Number(edge.id.slice(1))] = (edge.sections ?? [])
            .flatMap((part) => [part.startPoint, ...(part.bendPoints ?? []), part.endPoint])
            .map(({ x, y }) => [x, y]);
        }
        return { routes, width: graph.width, height: graph.height };
      },
    };
  },
};

const [name, inputPath, outputPath, runs] = process.argv.slice(2);
const input = JSON.parse(readFileSync(inputPath, 'utf8'));
const peer = peers[name]();
const ms = [];
let last;
for (let run = 0; run < Number(runs); ++run) {
  const graph = peer.prepare(input);
  const start = performance.now();
  last = await peer.run(graph);
  ms.push(performance.now() - start);
}
writeFileSync(outputPath, JSON.stringify({ ms, ...peer.result(last) }));
