import { setTimeout as wait } from 'node:timers/promises'
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
    'counts what reading and judging cost by their purposes (profile %s)',
    async (profile) => {
      const facts = [
        'The parser lives in src/parse.ts and returns a Tree',
        'Sessions are kept by SessionStore in src/store.ts',
      ]
      let batch = 0
      const models: ServiceModels = {
        // What the reading model names has to be said by somebody.
        answer: scripted(() => words(`${facts.join('. ')}.`)),
        extraction: completion('gemini-3-flash-preview', () => {
          const l0 = facts[batch++ % facts.length]
          return JSON.stringify({ candidates: [{ kind: 'assert', category: 'structure', l0, l1: `${l0}.` }] })
        }),
        dedup: completion('gemini-3.1-flash-lite', () => '{"verdicts":[{"candidate":1,"verdict":"SKIP"}]}'),
        compaction: completion('gemini-3-flash-preview', () => 'A summary of src/parse.ts.'),
      }
      const service = await startTestService({ engine: 'decisions', profile, models })
      for (let turn = 1; turn <= 8; turn++)
        await service.post('/query', { query: `Turn ${turn}: tell me about the parser in src/parse.ts.` })
      const spent = async () => (await service.get('/costs?session=default')).body.purposes
      while ((await spent()).extraction.calls < 2) await wait(5)
      const { answer, extraction, dedup } = await spent()
      expect(answer.calls).toBe(8)
      expect(extraction.promptTokens).toBe(extraction.calls * 50)
      expect(extraction.cachedTokens).toBe(extraction.calls * 10)
      if (profile === 'seed') {
        while ((await spent()).dedup.calls === 0) await wait(5)
        const { body } = await service.get('/state')
        expect(body.decisions.structure[0]).toMatchObject({ l0: facts[0], l1: `${facts[0]}.` })
        expect(body.engine.details.compaction).not.toBe('lcm')
      } else expect(dedup.calls).toBe(0)
    },
  )
})
