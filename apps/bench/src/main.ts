#!/usr/bin/env node
import { statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extractMessage } from '@palimpsest/decisions'
import { Command, InvalidArgumentError, Option } from 'commander'
import { renderCost } from './cost/render-cost.ts'
import { runCost } from './cost/run-cost.ts'
import type { Part } from './decisions/labelled/labelled-set.ts'
import { renderDecisions } from './decisions/render-decisions.ts'
import { runDecisions } from './decisions/run-decisions.ts'
import { ARMS } from './dialogues/arms.ts'
import { renderDialogues } from './dialogues/render-dialogues.ts'
import { LEAST_TURNS, runDialogues } from './dialogues/run-dialogues.ts'
import { findShortage } from './lcm/disk-space.ts'
import { createProgress } from './lcm/progress.ts'
import { renderLcm } from './lcm/render-lcm.ts'
import { runLcm } from './lcm/run-lcm.ts'
import { renderSpeed } from './speed/render-speed.ts'
import { runSpeed } from './speed/run-speed.ts'

/** Smaller stores do not hold everything that is searched for. */
const SMALLEST_STORE = 200
/** Smaller windows do not hold the tools and a summary. */
const SMALLEST_WINDOW = 50_000

const program = new Command('bench').description(
  'Measures the engines. Every figure is a ratio to a floor in the same run.',
)

program
  .command('speed')
  .description('what estimates and compactions cost, and whether planted facts reach the summariser')
  .option('--messages <list>', 'sizes of the generated conversations', parseSizes, [400, 1000, 10_000])
  .option(
    '--facts <messages>',
    'length of the rolling conversation with planted facts, 0 for none',
    parseSize,
    10_000,
  )
  .option('--seed <number>', 'seed of the generated conversations', parseSize, 1)
  .option('--json <file>', 'write the figures to a file too')
  .action(
    async ({
      messages,
      facts,
      seed,
      json,
    }: {
      messages: number[]
      facts: number
      seed: number
      json?: string
    }) => {
      const onStep = (text: string) => process.stderr.write(`${text}\n`)
      const report = await runSpeed({ seed, sizes: messages, factMessages: facts, onStep })
      if (json !== undefined) await writeFile(json, `${JSON.stringify(report, null, 2)}\n`)
      process.stdout.write(renderSpeed(report))
    },
  )

program
  .command('lcm')
  .description('what the lossless engine and its store cost, from 1,000 to 1,000,000 messages')
  .option('--messages <list>', 'sizes of the stores', parseStoreSizes, [1000, 10_000, 100_000])
  .option('--seed <number>', 'seed of the generated conversations', parseSize, 1)
  .option('--json <file>', 'write the figures to a file too')
  .addHelpText(
    'after',
    `
Examples:
  bench lcm                                 about three minutes, 2 GB in the folder for temporary files
  bench lcm --messages 1000,10000           some seconds
  bench lcm --messages 10000,1000000 --json lcm.json
                                            about half an hour, 18 GB; refuses when they do not fit`,
  )
  .action(async ({ messages, seed, json }: { messages: number[]; seed: number; json?: string }) => {
    const shortage = await findShortage(tmpdir(), Math.max(...messages))
    if (shortage !== undefined) program.error(shortage)
    const report = await runLcm({ seed, sizes: messages, progress: createProgress(process.stderr) })
    if (json !== undefined) await writeFile(json, `${JSON.stringify(report, null, 2)}\n`)
    process.stdout.write(renderLcm(report))
  })

program
  .command('decisions')
  .description('precision and recall of the extractor without a model, on a labelled set')
  .addOption(
    new Option('--part <part>', 'which part of the set').choices(['dev', 'held-out', 'all']).default('all'),
  )
  .option('--failures', 'list what was missed and what was wrongly found')
  .option('--json <file>', 'write the figures to a file too')
  .action(async ({ part, failures, json }: { part: Part | 'all'; failures?: boolean; json?: string }) => {
    const report = await runDecisions(extractMessage, part === 'all' ? ['dev', 'held-out'] : [part])
    if (json !== undefined) await writeFile(json, `${JSON.stringify(report, null, 2)}\n`)
    process.stdout.write(renderDecisions(report, failures))
  })

program
  .command('dialogues')
  .description('what each engine shows a model when it is asked for what was said long ago (LoCoEval-style)')
  .option('--seeds <number>', 'how many generated dialogues', parseSize, 16)
  .option('--turns <number>', "user's turns of each", parseTurns, 50)
  .option('--budgets <list>', 'windows, in tokens', parseSizes, [8000, 16_000, 40_000])
  .option('--json <file>', 'write the figures, and every item that was missed, to a file too')
  .action(async ({ json, ...input }: { seeds: number; turns: number; budgets: number[]; json?: string }) => {
    const report = await runDialogues({ ...input, arms: ARMS, progress: createProgress(process.stderr) })
    if (json !== undefined) await writeFile(json, `${JSON.stringify(report, null, 2)}\n`)
    process.stdout.write(renderDialogues(report))
  })

program
  .command('cost')
  .description('what prompts cost: breakpoints against the lower bound, compactions of each engine, planning')
  .option('--data <folder>', 'recorded sessions to compare the simulator with', parseFolder)
  .option('--windows <list>', 'windows of the engines, in tokens', parseWindows, [200_000, 1_000_000])
  .option('--seed <number>', 'seed of the generated conversations', parseSize, 1)
  .option('--json <file>', 'write the figures to a file too')
  .addHelpText(
    'after',
    `
Examples:
  bench cost                                two to four minutes
  bench cost --windows 200000               about a minute
  bench cost --data sessions --json cost.json
                                            reads every pi, Claude Code, Codex and OpenAI session of the folder`,
  )
  .action(async ({ json, ...input }: { data?: string; windows: number[]; seed: number; json?: string }) => {
    const report = await runCost({ ...input, progress: createProgress(process.stderr) })
    if (json !== undefined) await writeFile(json, `${JSON.stringify(report, null, 2)}\n`)
    process.stdout.write(renderCost(report))
  })

await program.parseAsync()

function parseSizes(text: string): number[] {
  return text.split(',').map(parseSize)
}

function parseSize(text: string): number {
  const size = Number(text)
  if (Number.isInteger(size) && size >= 0) return size
  throw new InvalidArgumentError('Use whole numbers.')
}

function parseTurns(text: string): number {
  const turns = parseSize(text)
  if (turns >= LEAST_TURNS) return turns
  throw new InvalidArgumentError(`Use at least ${LEAST_TURNS} turns.`)
}

function parseStoreSizes(text: string): number[] {
  const sizes = parseSizes(text)
  if (sizes.every((size) => size >= SMALLEST_STORE)) return sizes
  throw new InvalidArgumentError(`Use sizes of at least ${SMALLEST_STORE} messages.`)
}

function parseFolder(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path
  throw new InvalidArgumentError('There is no such folder.')
}

function parseWindows(text: string): number[] {
  const windows = parseSizes(text)
  if (windows.every((window) => window >= SMALLEST_WINDOW)) return windows
  throw new InvalidArgumentError(`Use windows of at least ${SMALLEST_WINDOW} tokens.`)
}
