import { Command } from 'commander'
import { costCommand } from './cost.ts'
import { decisionsCommand } from './decisions.ts'
import { dialoguesCommand } from './dialogues.ts'
import { grepCommand } from './grep.ts'
import { judgeCommand } from './judge.ts'
import { keptCommand } from './kept.ts'
import { lcmCommand } from './lcm.ts'
import { reportCommand } from './report.ts'
import { scaleCommand } from './scale.ts'
import { scaleWorkerCommand } from './scale-worker.ts'
import { speedCommand } from './speed.ts'
import type { Surroundings } from './surroundings.ts'

const EXAMPLES = `
Examples:
  bench kept --data sessions --windows 32000 --json kept.json
  bench cost --data sessions --engines lcm,"compressor lean" --budgets 16000
  bench report *.json --page benchmarks.md --full benchmarks-in-full.md

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
  for (const command of [
    keptCommand,
    dialoguesCommand,
    judgeCommand,
    grepCommand,
    decisionsCommand,
    costCommand,
    speedCommand,
    lcmCommand,
    scaleCommand,
    reportCommand,
  ])
    bench.addCommand(command(surroundings))
  bench.addCommand(scaleWorkerCommand(), { hidden: true })
  for (const command of [bench, ...bench.commands])
    command.exitOverride().configureOutput({ outputError() {}, writeOut: (text) => stdout.write(text) })
  return bench
}
