import { Argument, Command, Option } from 'commander'
import { type BenchOptions, PARTS, type Part } from './bench-options.ts'
import { budgetsOption } from './budgets-option.ts'
import { checkPart } from './check-part.ts'
import { commandLine } from './command-line.ts'
import {
  parseCount,
  parseFolder,
  parseNames,
  parseNumber,
  parseStoreSizes,
  parseWindows,
} from './parse-options.ts'
import type { Surroundings } from './surroundings.ts'

const EXAMPLES = `
Examples:
  bench                                         everything, on the bundled session
  bench recall --data sessions --budgets 16000
  bench recall --engines lcm,"compressor lean"  beside the bounds, which are always there
  bench cost --windows 200000 --json cost.json
  bench speed --messages 1000,10000
  bench --data sessions --report docs/benchmarks.md --html bench.html

Sessions are files of pi, Claude Code, Codex, or OpenAI messages as JSON or JSONL; a file that is none is
named and skipped. Progress goes to stderr, tables go to stdout. Exit codes: 0 done, 2 the call was wrong or
something failed.`

/** `bench [recall|cost|speed]`. */
export function benchCommand(surroundings: Surroundings): Command {
  const command = new Command('bench')
    .description('What engines keep, what they cost, how fast they are, side by side.')
    .usage('[recall|cost|speed] [options]')
    .enablePositionalOptions()
    .addArgument(new Argument('[part]', 'what is measured; everything without it').choices(PARTS))
    .optionsGroup('What is compared, and on what:')
    .option('--data <folder>', 'recorded sessions (default: the bundled session)', parseFolder)
    .option('--engines <names>', 'engines and peers, beside the bounds (default: all)', parseNames)
    .addOption(budgetsOption())
    .option('--seed <number>', 'seed of generated conversations', parseCount, 1)
    .optionsGroup('Recall:')
    .option('--seeds <number>', 'how many generated dialogues', parseNumber, 8)
    .option('--judge', 'let models answer and judge too; takes GEMINI_API_KEY, and costs money')
    .optionsGroup('Cost:')
    .addOption(
      new Option('--windows <list>', 'windows of the compactions, in tokens')
        .argParser(parseWindows)
        .default([200_000, 1_000_000], '200000,1000000'),
    )
    .optionsGroup('Speed:')
    .option(
      '--messages <list>',
      'lengths of the conversations (default: 1,000 to 100,000; a million takes 18 GB)',
      parseStoreSizes,
    )
    .optionsGroup('Results:')
    .option('--json <file>', 'everything that was measured, as one JSON value')
    .option('--html <file>', 'a page that needs nothing else')
    .option('--report <file>', 'a page of Markdown, with its pictures in a folder beside it')
    .addHelpText('after', EXAMPLES)
  return command.action(async (part: Part | undefined, options: BenchOptions) => {
    checkPart(part, command)
    // Loads what is measured, peers included: not for who asks for help.
    const { runBench } = await import('./run-bench.ts')
    const { measurePart } = await import('./measure-part.ts')
    await runBench({
      part,
      options,
      command: commandLine(part, command),
      surroundings,
      measure: measurePart,
    })
  })
}
