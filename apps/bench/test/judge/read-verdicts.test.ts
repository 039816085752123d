import { describe, expect, it } from 'vitest'
import { readVerdicts } from '../../src/judge/ask-judge.ts'

const two = '{"verdicts": [{"fact": 2, "verdict": "wrong"}, {"fact": 1, "verdict": "holds"}]}'

describe('readVerdicts', () => {
  it.each([
    ['alone', two],
    ['in a fence', `\`\`\`json\n${two}\n\`\`\``],
    ['between sentences', `Here you are: ${two} Is there anything else?`],
    ['behind thinking', `<think>Fact 1 {looks} right.</think>${two}`],
    ['as a bare list', '[{"fact": 1, "verdict": "holds"}, {"fact": "2", "verdict": "wrong"}]'],
  ])('reads verdicts %s, in the order of the facts', (_, text) => {
    expect(readVerdicts(text, 2)).toEqual(['holds', 'wrong'])
  })

  it.each([
    ['nothing', ''],
    ['no JSON', 'Both hold.'],
    ['half of it', two.slice(0, -4)],
    ['one fact too few', '{"verdicts": [{"fact": 1, "verdict": "holds"}]}'],
    ['two verdicts on one fact', two.replace(']}', ', {"fact": 2, "verdict": "holds"}]}')],
    ['a fact twice', two.replace('"fact": 2', '"fact": 1')],
    ['a fact that there is not', two.replace('"fact": 2', '"fact": 3')],
    ['a verdict that there is not', two.replace('wrong', 'fine')],
    ['another shape', '{"verdicts": {"1": "holds", "2": "holds"}}'],
    ['nulls', '{"verdicts": [null, null]}'],
  ])('takes nothing from %s', (_, text) => {
    expect(readVerdicts(text, 2)).toBeUndefined()
  })
})
