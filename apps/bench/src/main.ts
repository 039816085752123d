#!/usr/bin/env node
import { writeFile } from 'node:fs/promises'
import { Command, InvalidArgumentError } from 'commander'
import { renderSpeed } from './speed/render-speed.ts'
import { runSpeed } from './speed/run-speed.ts'

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

await program.parseAsync()

function parseSizes(text: string): number[] {
  return text.split(',').map(parseSize)
}

function parseSize(text: string): number {
  const size = Number(text)
  if (Number.isInteger(size) && size >= 0) return size
  throw new InvalidArgumentError('Use whole numbers.')
}
