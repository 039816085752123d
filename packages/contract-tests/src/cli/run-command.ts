import { createRequire } from 'node:module'
import { contractCases } from '../cases/index.ts'
import type { ContractCase } from '../contract-case.ts'
import { guardProcess } from '../guard-process.ts'
import { createHarness } from '../harness/create-harness.ts'
import { planContract } from '../plan-contract.ts'
import { failureText, type PlannedCase, runSuite } from '../run-suite.ts'
import { findEngine } from './find-engine.ts'
import { type CompleteTarget, loadTarget } from './load-target.ts'
import { type Call, readArguments, UsageError } from './read-arguments.ts'
import { type ContractReport, ranNothing, renderEnd, renderFailure } from './report.ts'
import { selectCases } from './select-cases.ts'

const require = createRequire(import.meta.url)

const versions: ContractReport['versions'] = {
  contractTests: require('@palimpsest/contract-tests/package.json').version,
  core: require('@palimpsest/core/package.json').version,
}

const DECLARATION = 'C03'

type Write = (text: string) => void

/**
 * Returns the exit code: 1 if a case failed or nothing ran.
 *
 * @throws UsageError for a wrong call.
 */
export async function runCommand(args: readonly string[], folder: string, write: Write): Promise<0 | 1> {
  const call = readArguments(args)
  if (call === 'help') write(HELP)
  else if (call === 'version')
    write(`palimpsest-contract ${versions.contractTests} (core ${versions.core})\n`)
  else if (call.module === undefined) write(selectCases(contractCases, call.cases).map(listed).join(''))
  else return runCases(call, findEngine(call.module, folder), write)
  return 0
}

async function runCases(
  call: Call,
  { url, label }: ReturnType<typeof findEngine>,
  write: Write,
): Promise<0 | 1> {
  const target = await loadTarget(url, label, call)
  const capabilities = declaredBy(target, label)
  const selected = selectCases(contractCases, call.cases)
  const isExpected = target.expectCapabilities.length > 0
  const cases = contractCases.filter(
    (entry) => selected.includes(entry) || (isExpected && entry.id === DECLARATION),
  )
  const plan = planContract(target, cases)
  if (call.list) {
    write(plan.map(({ entry, skip }) => listed(entry, skip)).join(''))
    return 0
  }
  const start = performance.now()
  const results = await runSuite(plan.map(withProgress), (result) => {
    if (result.status === 'failed' && !call.json) write(renderFailure(result, call, target.seed))
  })
  const count = (wanted: string) => results.filter(({ status }) => status === wanted).length
  const report: ContractReport = {
    engine: target.name,
    module: label,
    versions,
    capabilities,
    expected: target.expectCapabilities,
    options: call.options,
    seed: target.seed,
    propertyRuns: target.propertyRuns,
    durationMs: Math.round(performance.now() - start),
    counts: { passed: count('passed'), failed: count('failed'), skipped: count('skipped') },
    cases: results,
  }
  write(call.json ? `${JSON.stringify(report, undefined, 2)}\n` : renderEnd(report))
  return report.counts.failed > 0 || ranNothing(report) ? 1 : 0
}

/** Names the running case on a terminal, because an engine may hang in it. */
function withProgress(planned: PlannedCase<ContractCase>): PlannedCase<ContractCase> {
  const { stderr } = process
  const { id, title } = planned.entry
  const run = async () => {
    if (stderr.isTTY) stderr.write(`\r\u001b[2K${id} `)
    try {
      return await guardProcess(`${id} ${title}`, planned.run)
    } finally {
      if (stderr.isTTY) stderr.write('\r\u001b[2K')
    }
  }
  return { ...planned, run }
}

/**
 * The engine's declared capabilities.
 *
 * @throws UsageError for an engine that cannot be created: no case could say more.
 */
function declaredBy(target: CompleteTarget, label: string): ContractReport['capabilities'] {
  const { harness, cleanUp } = createHarness(target, new Set())
  try {
    return harness.create().capabilities
  } catch (error) {
    const { code, message } = Object(error) as Partial<NodeJS.ErrnoException>
    if (code === 'INVALID_OPTION')
      throw new UsageError(
        `the engine of ${label} refuses its options: ${message}; pass others with --options`,
      )
    throw new UsageError(`the engine of ${label} cannot be created: ${failureText(error)}`)
  } finally {
    void cleanUp()
  }
}

function listed({ id, title, requires = [] }: ContractCase, skip?: unknown): string {
  const needs = requires.length > 0 ? ` (needs ${requires.join(', ')})` : ''
  return `${id} ${title}${typeof skip === 'string' ? ` (skipped: ${skip})` : needs}\n`
}

const HELP = `palimpsest-contract <module> [case ids…] [options]

Runs the contract suite for a context engine, without a test runner.

<module>
  ./dist/index.js        a file (.js, .mjs, .ts) or a folder
  my-engine              an installed package, as this folder sees it
  .                      the package in this folder
  A package is loaded from "contextEngine": { "entry": … } of its package.json, else from its main export.
  The module exports by default what defineContextEngine() returned. An engine that needs more, such as
  recall for a lossless one, exports a ContractTarget instead, by default or as contractTarget.

[case ids…]
  C01                    one case
  C10-C14                all from one to another
  P                      all that begin with this letter
  Default: every case. Where something is expected of the engine, C03 always runs.

Options
  --options <json>       options of the engine; {storage} in a text becomes the storage folder of the case
  --seed <number>        where generated conversations begin (default 1)
  --runs <number>        generated conversations of each property (default 100)
  --case-timeout <ms>    how long one case may take before it fails (default 60000); raise it for a slow engine
  --list                 lists the cases, and with a module which of them are skipped; runs none
  --json                 prints one JSON object at the end
  --help, --version

Exit code: 0 all passed, 1 a case failed or nothing ran, 2 the call was wrong.

Examples
  palimpsest-contract .
  palimpsest-contract ./src/index.ts C10-C14 P --runs 1000
  palimpsest-contract my-engine --options '{"file": "{storage}/engine.db"}'
  palimpsest-contract ./test/contract-target.ts --json > report.json
`
