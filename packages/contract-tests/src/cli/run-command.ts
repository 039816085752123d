import { createRequire } from 'node:module'
import { contractCases } from '../cases/index.ts'
import type { ContractCase } from '../contract-case.ts'
import { withProgress } from './case-progress.ts'
import { countResults, ranNothing } from './contract-report.ts'
import { HELP } from './help-text.ts'
import { createPeopleReporter } from './people-reporter.ts'
import { type CasesRequest, readArguments } from './read-arguments.ts'
import type { Reporter, Write } from './reporter.ts'
import { type ResolvedModule, resolveModule } from './resolve-module.ts'
import { selectCases, selectsCases } from './select-cases.ts'
import { superviseJob } from './supervise-job.ts'
import { createTapReporter } from './tap-reporter.ts'
import { UsageError } from './usage-error.ts'
import type { ContractPlan } from './worker-messages.ts'

const require = createRequire(import.meta.url)

/** The installed versions of the suite and of the core that it runs on. */
const versions: { readonly contractTests: string; readonly core: string } = {
  contractTests: require('@palimpsest/contract-tests/package.json').version,
  core: require('@palimpsest/core/package.json').version,
}

/** The parts of its process that the command needs. */
export interface CommandContext {
  /** The folder of the call. */
  readonly folder: string
  /** The script of the worker process. */
  readonly worker: URL
  /** Stops the command; it rejects with the reason when it has cleaned up. */
  readonly signal: AbortSignal
  /** Standard output. */
  readonly write: Write
}

/** All passed; or a case failed, or nothing ran. A wrong call is an error. */
export type CommandResult = 0 | 1

/**
 * Runs the command.
 *
 * @throws UsageError for a wrong call
 */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const request = readArguments(args)
  if (request.command === 'help') context.write(HELP)
  else if (request.command === 'version')
    context.write(`palimpsest-contract ${versions.contractTests} (core ${versions.core})\n`)
  else return await runCases(request, context)
  return 0
}

async function runCases(request: CasesRequest, context: CommandContext): Promise<CommandResult> {
  const { write } = context
  const selected = selectCases(contractCases, request.cases)
  if (request.module === undefined) {
    write(listCases(selected))
    return 0
  }
  const { options, expect, seed, runs, caseTimeout } = request
  const { url, label } = moduleOf(request.module, context.folder)
  const planOnly = request.command === 'list'
  const cases = selected.map(({ id }) => id)
  const job = { url, label, options, expect, seed, runs, caseTimeoutMs: caseTimeout, cases, planOnly }
  const reporter = planOnly ? {} : withProgress(createReporter(request, write), process.stderr)
  const start = performance.now()
  const { plan, results } = await superviseJob({ ...context, job, reporter })
  if (planOnly) {
    const ids = plan.cases.map(({ id }) => id)
    write(
      listCases(
        contractCases.filter(({ id }) => ids.includes(id)),
        plan,
      ),
    )
    return 0
  }
  const { engine, capabilities, expected, propertyRuns } = plan
  const counts = countResults(results)
  reporter.ended?.({
    engine,
    module: label,
    versions,
    capabilities,
    expected,
    options,
    seed: plan.seed,
    propertyRuns,
    durationMs: Math.round(performance.now() - start),
    counts,
    cases: results,
  })
  return counts.failed > 0 || ranNothing(counts) ? 1 : 0
}

function moduleOf(typed: string, folder: string): ResolvedModule {
  try {
    return resolveModule(typed, folder)
  } catch (error) {
    if (!selectsCases(contractCases, typed)) throw error
    throw new UsageError(`${typed} is a case, and the module comes first: palimpsest-contract . ${typed}`)
  }
}

function createReporter(call: CasesRequest, write: Write): Reporter {
  const { format, verbose } = call
  if (format === 'tap') return createTapReporter(write)
  if (format === 'json') return createJsonReporter(write)
  return createPeopleReporter({ write, call, verbose })
}

/** One JSON object, when all is over. */
function createJsonReporter(write: Write): Reporter {
  return { ended: (report) => write(`${JSON.stringify(report, undefined, 2)}\n`) }
}

/** A line a case: what it promises, and what it needs, or why it would be skipped where a plan is known. */
function listCases(cases: readonly ContractCase[], plan?: ContractPlan): string {
  const skips = new Map(plan?.cases.map(({ id, skip }) => [id, skip]))
  return cases
    .map(({ id, title, requires = [] }) => {
      const skip = skips.get(id)
      if (skip !== undefined) return `${id} ${title} (skipped: ${skip})\n`
      return `${id} ${title}${plan === undefined && requires.length > 0 ? ` (needs ${requires.join(', ')})` : ''}\n`
    })
    .join('')
}
