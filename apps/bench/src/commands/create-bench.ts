import { Command } from 'commander'
import { answers } from './answers.ts'
import { cost } from './cost.ts'
import { type BenchMeasure, measureCommand, type Surroundings } from './define-measure.ts'
import { grep } from './grep.ts'
import { hosts } from './hosts.ts'
import { speed } from './speed.ts'

const MEASURES = { answers, cost, hosts, grep, speed }

const EXAMPLES = `
Examples:
  bench answers                                       what a model can still answer, from recorded answers
  bench cost --data sessions --engines lcm,compressor --budgets 16000 --json > cost.json

Sessions are files of pi, Claude Code, Codex, or messages of OpenAI or Anthropic as JSON or JSONL; a file that is none is
named and skipped. Progress goes to stderr, tables go to stdout. Exit codes: 0 done, 2 the call was wrong or
something failed.`

export function createBench(surroundings: Surroundings): Command {
  const { stdout } = surroundings
  const bench = new Command('bench')
    .description('What a model can still answer behind an engine, what that costs and how fast it is.')
    .addHelpText('after', EXAMPLES)
    .action(() => {
      bench.outputHelp()
    })
  for (const [name, measure] of Object.entries<BenchMeasure<unknown, unknown>>(MEASURES))
    bench.addCommand(measureCommand(name, measure, surroundings))
  for (const command of [bench, ...bench.commands])
    command.exitOverride().configureOutput({ outputError() {}, writeOut: (text) => stdout.write(text) })
  return bench
}
