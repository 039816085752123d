#!/usr/bin/env node
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { Command, InvalidArgumentError } from 'commander'
import { findShortage } from './lcm/disk-space.ts'
import { createProgress } from './lcm/progress.ts'
import { renderLcm } from './lcm/render-lcm.ts'
import { runLcm } from './lcm/run-lcm.ts'
import { renderSpeed } from './speed/render-speed.ts'
import { runSpeed } from './speed/run-speed.ts'

/** Smaller stores do not hold everything that is searched for. */
const SMALLEST_STORE = 200

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

await program.parseAsync()

function parseSizes(text: string): number[] {
  return text.split(',').map(parseSize)
}

function parseSize(text: string): number {
  const size = Number(text)
  if (Number.isInteger(size) && size >= 0) return size
  throw new InvalidArgumentError('Use whole numbers.')
}

function parseStoreSizes(text: string): number[] {
  const sizes = parseSizes(text)
  if (sizes.every((size) => size >= SMALLEST_STORE)) return sizes
  throw new InvalidArgumentError(`Use sizes of at least ${SMALLEST_STORE} messages.`)
}
