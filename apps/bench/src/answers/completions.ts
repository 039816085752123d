import { createHash } from 'node:crypto'
import { appendFile, readFile } from 'node:fs/promises'
import { type CompletionCall, type CompletionModel, ModelError } from '@palimpsest/core'
import { z } from 'zod'

const lineSchema = z.object({
  key: z.string(),
  arm: z.string(),
  text: z.string(),
})

export type Completions = Map<string, string>

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

export const requestKey = ({ system = '', prompt }: Pick<CompletionCall, 'system' | 'prompt'>): string =>
  sha256(JSON.stringify([system, prompt]))

export async function readCompletions(file: URL): Promise<Completions> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const lines = text.split('\n').filter((line) => line !== '')
  return new Map(lines.map((line) => lineSchema.parse(JSON.parse(line))).map((line) => [line.key, line.text]))
}

export async function appendCompletion(file: URL, line: z.infer<typeof lineSchema>): Promise<void> {
  await appendFile(file, `${JSON.stringify(line)}\n`)
}

export type AskedRequest = Pick<CompletionCall, 'system' | 'prompt'>

export function createReplayModel(completions: ReadonlyMap<string, string>) {
  let unknown: AskedRequest | undefined
  const model: CompletionModel = {
    name: 'recorded',
    async complete({ system, prompt }) {
      const request = { ...(system !== undefined && { system }), prompt }
      const text = completions.get(requestKey(request))
      if (text !== undefined && unknown === undefined) return { text, finishReason: 'stop' }
      unknown ??= request
      throw new ModelError('unknown', 'this request is not recorded; bench answers --base-url records it')
    },
  }
  return { model, unknown: () => unknown }
}
