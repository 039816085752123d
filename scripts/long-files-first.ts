import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest on a machine with two cores, from 100 seconds down to 20. Those that wait for installations
 * stand between those that compute, behind the first three, in whose time the registry starts.
 */
const LONG_FILES = [
  'packages/decisions/test/contract.test.ts',
  'e2e/test/site.test.ts',
  'packages/lcm/test/contract.test.ts',
  'e2e/test/third-party.test.ts',
  'e2e/test/nextjs-chat.test.ts',
  'e2e/test/install.test.ts',
  'packages/contract-tests/test/host/broken-hosts.test.ts',
  'e2e/test/write-an-engine.test.ts',
  'e2e/test/newcomer.test.ts',
  'apps/palimpsest/test/documents.test.ts',
  'packages/contract-tests/test/cli/reports.test.ts',
  'apps/palimpsest/test/gateway/python-client.test.ts',
  'packages/decisions/test/engine/store-trouble.test.ts',
  'apps/palimpsest/test/serve/workers.test.ts',
  'apps/palimpsest/test/recall/run-mcp.test.ts',
  'packages/decisions/test/engine/story.test.ts',
  'packages/lcm/test/engine/over-budget.test.ts',
  'packages/decisions/test/engine/laws.property.test.ts',
  'packages/decisions/test/engine/killed.test.ts',
  'packages/decisions/test/engine/cost.test.ts',
  'packages/postgres/test/lcm/copy.test.ts',
  'apps/palimpsest/test/windows.test.ts',
  'apps/palimpsest/test/models/summaries-everywhere.test.ts',
  'packages/core/test/laws/check-projection.test.ts',
  'packages/postgres/test/lcm/plans.test.ts',
  'apps/palimpsest/test/page/live.test.ts',
  'packages/lcm/test/search/required-literals.test.ts',
  'packages/compressor/test/contract.test.ts',
  'packages/contract-tests/test/broken/share-1.test.ts',
  'packages/contract-tests/test/broken/share-2.test.ts',
  'packages/contract-tests/test/broken/share-3.test.ts',
  'packages/contract-tests/test/broken/share-4.test.ts',
  'packages/contract-tests/test/broken/share-5.test.ts',
  'packages/contract-tests/test/cli/hostile-engines.test.ts',
]

/**
 * Long files begin first, so that no core waits at the end for a file that another one runs. Vitest knows from an earlier
 * run how long files take; a clean checkout has none, and by their sizes the longest would come last.
 */
export default class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const order = ({ moduleId }: TestSpecification) => {
      const at = LONG_FILES.findIndex((file) => moduleId.endsWith(`/${file}`))
      return at === -1 ? LONG_FILES.length : at
    }
    return sorted.sort((a, b) => order(a) - order(b))
  }
}
