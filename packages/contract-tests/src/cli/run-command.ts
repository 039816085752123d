import { createRequire } from 'node:module'
import type { WriteStream } from 'node:tty'
import { contractCases } from '../cases/index.ts'
import type { ContractCase } from '../contract-case.ts'
import { createPeopleReporter } from './people-reporter.ts'
import { type CasesRequest, readArguments, UsageError } from './read-arguments.ts'
import type { Reporter, Write } from './reporter.ts'
import { countResults, createTapReporter, ranNothing } from './reporter.ts'
import { resolveModule } from './resolve-module.ts'
import { selectCases, selectsCases } from './select-cases.ts'
import { superviseJob } from './supervise-job.ts'
import type { ContractPlan } from './worker-messages.ts'

const require = createRequire(import.meta.url)

/** The installed versions of the suite and of the core that it runs on. */
const versions: { readonly contractTests: string; readonly core: string } = {
  contractTests: require('@palimpsest/contract-tests/package.json').version,
  core: require('@palimpsest/core/package.json').version,
}

/** The parts of its process that the command needs. */
export interface CommandContext {
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

function moduleOf(typed: string, folder: string): ReturnType<typeof resolveModule> {
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

/** When a case that takes long is told of for the first time where nothing can be written over, in seconds. */
const FIRST_LINE_SECONDS = 10

/**
 * The same reporter, beside which a stream says which case runs: on a terminal on a line that is written over each
 * second and gone in the end, elsewhere with a line for a case that takes long, after 10, 20, 40, 80 … seconds.
 */
export function withProgress(reporter: Reporter, stream: WriteStream): Reporter {
  let cases = 0
  let done = 0
  let timer: NodeJS.Timeout | undefined

  const show = (id: string, seconds: number): void => {
    const text = `${id}  ${done + 1} of ${cases}${seconds > 0 ? `  ${seconds} s` : ''}`
    if (stream.isTTY) stream.write(`\r\u001b[2K${text.slice(0, Math.max(0, stream.columns - 1))}`)
    else if (Number.isInteger(Math.log2(seconds / FIRST_LINE_SECONDS)) && seconds >= FIRST_LINE_SECONDS)
      stream.write(`${text}, still running\n`)
  }
  const clear = (): void => {
    clearInterval(timer)
    if (stream.isTTY && timer !== undefined) stream.write('\r\u001b[2K')
    timer = undefined
  }

  return {
    planned(plan) {
      cases = plan.cases.length
      reporter.planned?.(plan)
    },
    started(id) {
      let seconds = 0
      show(id, seconds)
      // A command that ends for another reason must not wait for it.
      timer = setInterval(() => show(id, ++seconds), 1_000).unref()
    },
    finished(result) {
      clear()
      done++
      reporter.finished?.(result)
    },
    ended(report) {
      clear()
      reporter.ended?.(report)
    },
    interrupted() {
      clear()
      reporter.interrupted?.()
    },
  }
}

const HELP = `palimpsest-contract <module> [case ids…] [options]

Runs the contract suite for a context engine, without a test runner.

<module>
  ./dist/index.js        a file (.js, .mjs, .ts) or a folder with a package.json or plugin.yaml
  my-engine              an installed package, as this folder sees it, or the engine of that name in a dependency
  .                      the package in this folder
  A package is loaded from "contextEngine": { "entry": … } of its package.json, else from its main export.
  The module exports by default what defineContextEngine() returned. An engine that needs more, such as
  recall for a lossless one, exports a ContractTarget instead, by default or as contractTarget.

[case ids…]
  C01                    one case
  C10-C14                all from one to another
  P                      all that begin with these letters
  Default: every case. Where something is expected of the engine, C03 always runs.

Options
  --options <json>       options of the engine; {storage} in a text becomes the storage folder of the case
  --expect <a,b>         what the engine must declare, such as tools,lossless; a case fails where it does not
  --seed <number>        where generated conversations begin (default 1)
  --runs <number>        generated conversations of each property (default 100)
  --case-timeout <ms>    how long one case may take before it fails (default 120000); raise it for an engine whose
                         calls are slow. One call may take a 24th of it, 5000 at least
  --list                 lists the cases, and with a module which of them are skipped; runs none
  --json                 prints one JSON object at the end
  --tap                  prints TAP version 14
  --verbose              prints what passing cases tell too, such as how many conversations were compacted
  --help, --version

Exit code: 0 all passed, 1 a case failed or nothing ran, 2 the call was wrong, 130 interrupted.

Examples
  palimpsest-contract .
  palimpsest-contract ./src/index.ts C10-C14 P --runs 1000
  palimpsest-contract my-engine --options '{"file": "{storage}/engine.db"}' --expect tools,persistence
  palimpsest-contract ./test/contract-target.ts --json > report.json
`
