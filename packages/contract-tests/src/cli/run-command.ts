import { contractCases } from '../cases/index.ts'
import { countResults } from './contract-report.ts'
import { HELP } from './help-text.ts'
import { createJsonReporter } from './json-reporter.ts'
import { listCases } from './list-cases.ts'
import { createPeopleReporter } from './people-reporter.ts'
import { createProgressLine } from './progress-line.ts'
import { type CasesRequest, type ReportFormat, readArguments } from './read-arguments.ts'
import type { Reporter, Write } from './reporter.ts'
import { resolveModule } from './resolve-module.ts'
import { selectCases } from './select-cases.ts'
import { superviseJob } from './supervise-job.ts'
import { createTapReporter } from './tap-reporter.ts'
import { versions } from './versions.ts'

/** What the command needs of its process. */
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

/** All passed, or a case failed. A wrong call is an error. */
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
  const { options, expect, seed, runs } = request
  const { url, label } = resolveModule(request.module, context.folder)
  const planOnly = request.command === 'list'
  const cases = selected.map(({ id }) => id)
  const job = { url, label, options, expect, seed, runs, cases, planOnly }
  const reporter = planOnly ? {} : createReporter(request.format, write)
  const start = performance.now()
  const { plan, results } = await superviseJob({ ...context, job, reporter })
  if (planOnly) {
    write(listCases(selected, plan))
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
  return counts.failed > 0 ? 1 : 0
}

function createReporter(format: ReportFormat, write: Write): Reporter {
  if (format === 'tap') return createTapReporter(write)
  if (format === 'json') return createJsonReporter(write)
  return createPeopleReporter(write, createProgressLine(process.stderr))
}
