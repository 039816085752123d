import { Command } from 'commander'
import { checkOutputs } from './check-outputs.ts'
import { parseCount, parseCounts } from './parse-options.ts'
import type { Surroundings } from './surroundings.ts'
import { writeJson } from './write-json.ts'

interface CompressorOptions {
  readonly messages: number[]
  readonly facts: number
  readonly seed: number
  readonly json?: string
}

/** `bench compressor`. */
export function compressorCommand({ stdout, stderr }: Surroundings): Command {
  return new Command('compressor')
    .description('what estimates and compactions cost, and whether planted facts reach the summariser')
    .option('--messages <list>', 'sizes of the generated conversations', parseCounts, [400, 1000, 10_000])
    .option(
      '--facts <messages>',
      'length of the rolling conversation with planted facts, 0 for none',
      parseCount,
      10_000,
    )
    .option('--seed <number>', 'seed of the generated conversations', parseCount, 1)
    .option('--json <file>', 'write the figures to a file too')
    .action(async ({ messages, facts, seed, json }: CompressorOptions) => {
      checkOutputs({ '--json': json })
      const { runSpeed } = await import('../speed/run-speed.ts')
      const { renderSpeed } = await import('../speed/render-speed.ts')
      const onStep = (text: string) => stderr.write(`${text}\n`)
      const report = await runSpeed({ seed, sizes: messages, factMessages: facts, onStep })
      await writeJson(json, report)
      stdout.write(renderSpeed(report))
    })
}
