import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The projects in their order. A worker takes on the next file only if that is of the same project, and otherwise ends: a new
 * one loads all sources again, which takes more than a second of a processor.
 */
const PROJECTS = ['e2e', 'contract', 'alone', 'long', 'unit']

/** The files that begin, of any project: the registry of the end-to-end tests starts meanwhile. */
const FIRST_FILES = ['packages/decisions/test/contract.test.ts', 'packages/lcm/test/contract.test.ts']

/** The other files that take longest on a machine with two cores, from 50 seconds down to 7. */
const LONG_FILES = [
  'e2e/test/install.test.ts',
  'e2e/test/write-an-engine.test.ts',
  'e2e/test/newcomer.test.ts',
  'e2e/test/openai-agents.test.ts',
  'e2e/test/pi.test.ts',
  'packages/contract-tests/test/host/broken-hosts.test.ts',
  'packages/inspector/test/page/access.test.ts',
  'apps/palimpsest/test/documents.test.ts',
  'packages/langchain/test/host.test.ts',
  'apps/bench/test/hosts/hosts.test.ts',
  'apps/palimpsest/test/page/page.test.ts',
  'apps/palimpsest/test/page/live.test.ts',
  'apps/palimpsest/test/gateway/workers.test.ts',
  'packages/postgres/test/store/store-suite.test.ts',
  'apps/palimpsest/test/recall/run-mcp.test.ts',
  'packages/inspector/test/page/hostile.test.ts',
  'apps/palimpsest/test/serve/conversations.test.ts',
  'apps/palimpsest/test/replay-page.test.ts',
  'packages/contract-tests/test/broken/share-1.test.ts',
  'apps/palimpsest/test/models/summaries-everywhere.test.ts',
  'packages/mastra/test/host.test.ts',
  'apps/palimpsest/test/serve/workers.test.ts',
  'packages/core/test/session/session-invariants.test.ts',
  'packages/prompt-caching/test/wire/openai-messages/invariants.property.test.ts',
  'packages/pi/test/extension.test.ts',
  'apps/palimpsest/test/serve/kill.test.ts',
  'packages/transcripts/test/any-recording.test.ts',
  'packages/openai-agents/test/host.test.ts',
  'packages/contract-tests/test/broken/share-2.test.ts',
  'apps/bench/test/arms/peers/peer-arms.test.ts',
  'packages/contract-tests/test/broken/share-3.test.ts',
  'packages/lcm/test/engine/killed.test.ts',
  'packages/compressor/test/contract.test.ts',
  'apps/palimpsest/test/windows.test.ts',
]

/**
 * Projects run one after the other, and long files of each begin first, so that no core waits at the end for a file that
 * another one runs. Vitest knows from an earlier run how long files take; a clean checkout has none, and by their sizes
 * the longest would come last.
 */
export default class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const order = ({ moduleId, project }: TestSpecification) => {
      const placeIn = (list: readonly string[]) => {
        const at = list.findIndex((file) => moduleId.endsWith(`/${file}`))
        return at === -1 ? list.length : at
      }
      return [placeIn(FIRST_FILES), PROJECTS.indexOf(project.name), placeIn(LONG_FILES)]
    }
    const orders = new Map(sorted.map((file) => [file, order(file)]))
    return sorted.sort((a, b) => {
      const [one, other] = [orders.get(a) ?? [], orders.get(b) ?? []]
      return one.map((place, index) => place - (other[index] ?? 0)).find((apart) => apart !== 0) ?? 0
    })
  }
}
