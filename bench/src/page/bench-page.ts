import { Figures } from "../figures.js";
import type { Section } from "../report.js";
import { judgePage } from "./budgets.js";
import { type CodeServer, codeServer } from "./code-server.js";
import { measureFirstLoad } from "./first-load.js";
import { lockstep } from "./lockstep.js";
import { PAGE_METRICS, type PageFigures } from "./metrics.js";
import type { Product } from "./product.js";
import { makeProjects } from "./projects.js";
import { measureProposals, type ProposalsMeasured } from "./proposals.js";
import { measureTree } from "./tree.js";
import { measureTyping } from "./typing.js";

const NOTE =
  "Best of all rounds, in headless Chromium with an empty profile. Times end after the frame that shows it; transferred is what came over the wire, compressed.";

export interface PageOptions {
  readonly rounds: number;
  /** For projects and homes; the caller removes it. */
  readonly folder: string;
  readonly say: (progress: string) => void;
  /** To compare the first load with; null for none. */
  readonly codeServer: CodeServer | null;
}

/** The editor as it is shipped, in a browser, each time from the start of both. */
export async function benchPage(options: PageOptions): Promise<Section> {
  const { rounds, folder, say } = options;
  const products: Product[] = [lockstep(folder)];
  if (options.codeServer) products.unshift(codeServer(options.codeServer, folder));
  const figures: PageFigures = new Figures(PAGE_METRICS, "code-server");
  const proposals: ProposalsMeasured[] = [];
  say("page, a hundred thousand files");
  const projects = await makeProjects(folder);
  for (let round = 1; round <= rounds; round++) {
    say(`page, round ${round} of ${rounds}`);
    for (const product of products) {
      figures.add(product.name, await measureFirstLoad(product, projects.small));
    }
    figures.add("lockstep", await measureTyping(folder, projects.large));
    const proposed = await measureProposals(folder, projects.large);
    proposals.push(proposed);
    figures.add("lockstep", proposed.row);
    figures.add("lockstep", await measureTree(folder, projects.crowded));
  }
  return {
    name: "page",
    title: "The page",
    rounds,
    figures,
    columns: products.map(({ name }) => [name, NAMES[name]] as const),
    ratio: "× code-server",
    note: NOTE,
    details: { proposals },
    verdicts: judgePage(figures, proposals),
  };
}

const NAMES = { lockstep: "Lockstep", "code-server": "code-server" } as const;
