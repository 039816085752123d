import type { CompletionModel, Usage } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import type { ServiceModels } from '../../src/serve/models/service-models.ts'
import { scripted, startTestService, words } from './test-service.ts'

function completion(name: string, text: (prompt: string) => string): CompletionModel {
  const usage: Usage = { promptTokens: 50, completionTokens: 5, totalTokens: 55, cacheReadTokens: 10 }
  return {
    name: `gemini:${name}`,
    complete: async ({ prompt }) => ({ text: text(prompt), finishReason: 'stop', usage }),
  }
}

describe('with the decisions engine', () => {
  it.each(['default', 'seed'])(
    'counts what reading costs, and shows what was read (profile %s)',
    async (profile) => {
      const models: ServiceModels = {
        answer: scripted(() => words('The parser is in src/parse.ts.')),
        extraction: completion('gemini-3-flash-preview', (prompt) => {
          const message = Number(/<message number="(\d+)" from="assistant">/.exec(prompt)?.[1])
          const said = { message, quote: 'The parser is in src/parse.ts.' }
          const fact = {
            kind: 'fact',
            category: 'structure',
            subject: 'parser',
            value: 'src/parse.ts',
            l1: '- one file',
          }
          return JSON.stringify({ record: [{ do: 'CREATE', ...fact, ...said }] })
        }),
        compaction: completion('gemini-3-flash-preview', () => 'A summary of src/parse.ts.'),
      }
      const service = await startTestService({
        engine: 'decisions',
        profile,
        models,
        config: 'decisions:\n  batch_turns: 4\n',
      })
      for (let turn = 1; turn <= 8; turn++)
        await service.post('/query', { query: `Turn ${turn}: tell me about the parser in src/parse.ts.` })
      const spent = async () => (await service.get('/costs?session=default')).body.purposes
      await expect.poll(async () => (await spent()).extraction.calls).toBeGreaterThan(1)
      const { answer, extraction } = await spent()
      expect(answer.calls).toBe(8)
      expect(extraction.promptTokens).toBe(extraction.calls * 50)
      expect(extraction.cachedTokens).toBe(extraction.calls * 10)
      const { body } = await service.get('/state')
      expect(body.decisions.structure).toMatchObject([
        { kind: 'fact', value: 'src/parse.ts', l1: '- one file', foundBy: 'model', status: 'proposed' },
      ])
      expect(body.engine.details.refused).toEqual({})
    },
  )
})
