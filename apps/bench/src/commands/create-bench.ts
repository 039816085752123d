import { readFile, writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import { pageSections } from '../report/page/page-sections.ts'
import { joinRuns, type Runs, readRun } from '../report/runs.ts'
import { renderMarkdown } from '../report/section.ts'
import { type BenchMeasure, measureCommand, type Surroundings } from './define-measure.ts'
import { MEASURES } from './measures.ts'
import { checkOutputs, UsageError } from './usage-error.ts'

const EXAMPLES = `
Examples:
  bench kept --data sessions --windows 32000 --json kept.json
  bench cost --data sessions --engines lcm,"compressor lean" --budgets 16000
  bench report *.json --page benchmarks.md

Sessions are files of pi, Claude Code, Codex, or messages of OpenAI or Anthropic as JSON or JSONL; a file that is none is
named and skipped. Progress goes to stderr, tables go to stdout. Exit codes: 0 done, 2 the call was wrong or
something failed.`

/** The whole command line. Faults of the user are thrown, not printed: one line for each is the caller's. */
export function createBench(surroundings: Surroundings): Command {
  const { stdout } = surroundings
  const bench = new Command('bench')
    .description('What engines keep, what they cost and how fast they are.')
    .addHelpText('after', EXAMPLES)
    .action(() => {
      bench.outputHelp()
    })
  for (const [name, measure] of Object.entries<BenchMeasure<unknown, unknown>>(MEASURES))
    bench.addCommand(measureCommand(name, measure, surroundings))
  bench.addCommand(reportCommand())
  bench.addCommand(scaleWorkerCommand(), { hidden: true })
  for (const command of [bench, ...bench.commands])
    command.exitOverride().configureOutput({ outputError() {}, writeOut: (text) => stdout.write(text) })
  return bench
}

function scaleWorkerCommand(): Command {
  return new Command('scale-worker')
    .description('one of the processes that scale starts')
    .action(async () => {
      const { runWorker } = await import('../scale/worker.ts')
      runWorker()
    })
}

function reportCommand(): Command {
  return new Command('report')
    .description('makes the page of what --json files of the other commands hold')
    .argument('<files...>', 'one for each command; those of kept are put together')
    .requiredOption('--page <file>', 'the page: the tables that decide something')
    .action(async (files: readonly string[], { page }: { readonly page: string }) => {
      checkOutputs({ '--page': page })
      await writeFile(page, renderMarkdown(pageSections(await readRuns(files))))
    })
}

async function readRuns(files: readonly string[]): Promise<Runs> {
  const runs = []
  for (const file of files) {
    try {
      runs.push(readRun(await readFile(file, 'utf8')))
    } catch (cause) {
      throw new UsageError(`${file}: ${cause instanceof Error ? cause.message : cause}`)
    }
  }
  return joinRuns(runs)
}
