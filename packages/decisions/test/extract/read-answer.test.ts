import { describe, expect, it } from 'vitest'
import { readAnswer } from '../../src/extract/read-answer.ts'

const entry = {
  do: 'CREATE',
  kind: 'choice',
  subject: 'cache',
  value: 'Redis',
  l0: 'Cache: Redis',
  message: 3,
  quote: 'We use Redis',
}
const one = JSON.stringify(entry)

describe('an answer', () => {
  it.each([
    ['as it was asked for', `{"record": [${one}]}`],
    ['as a list', `[${one}]`],
    ['under another key', `{"facts": [${one}]}`],
    ['in a fence, between sentences', `Here it is:\n\`\`\`json\n{"record": [${one}]}\n\`\`\`\nThat is all.`],
    ['after thoughts', `<think>{"record": []} is not enough</think>{"record": [${one}]}`],
  ])('is read %s', (_, answer) => {
    const { candidates, refused } = readAnswer(answer, [])
    expect(refused).toEqual([])
    expect(candidates).toMatchObject([
      { action: 'create', seq: 3, quote: 'We use Redis', statement: { value: 'Redis' } },
    ])
  })

  it('keeps what is sound of a broken one, and counts the rest', () => {
    const broken = readAnswer(
      `{"record": [${one}, {"do": "CREATE", "quote": "}{\\"", "value": 5}, {"do": broken}, ${one.slice(0, 40)}`,
      [],
    )
    expect(broken.candidates).toHaveLength(2)
    expect(broken.refused).toEqual(['malformed', 'malformed'])
    expect(readAnswer('I found nothing.', [])).toEqual({ candidates: [], refused: ['unreadable-answer'] })
    expect(readAnswer('{"record": []}', [])).toEqual({ candidates: [], refused: [] })
  })

  it('names known entries by their numbers', () => {
    const known = ['d000000000001', 'd000000000002']
    const read = (fields: object) => readAnswer(JSON.stringify([{ ...entry, ...fields }]), known)
    expect(read({ replaces: 2 }).candidates[0]?.replaces).toBe(known[1])
    expect(read({ replaces: '[1]' }).candidates[0]?.replaces).toBe(known[0])
    expect(read({ replaces: 'Memcached' }).candidates[0]?.replaces).toBe('Memcached')
    expect(read({ do: 'MERGE', with: 1 }).candidates[0]).toMatchObject({ action: 'merge', target: known[0] })
    expect(read({ do: 'RETRACT', with: 9 }).refused).toEqual(['unknown-target'])
    expect(read({ do: 'SKIP' })).toEqual({ candidates: [], refused: [] })
  })

  it('is bounded, and holds no secret', () => {
    const secret = `sk-ant-api03-${'a1B2c3D4'.repeat(10)}`
    const many = readAnswer(
      JSON.stringify(Array(50).fill({ ...entry, reason: `it is ${secret}`, l0: 'x'.repeat(5_000) })),
      [],
    )
    expect(many.candidates).toHaveLength(32)
    expect(many.refused).toEqual(Array(18).fill('too-many'))
    expect(JSON.stringify(many)).not.toContain(secret)
    expect(many.candidates[0]?.statement.l0.length).toBeLessThan(300)
  })
})
