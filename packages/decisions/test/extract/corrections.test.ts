import { describe, expect, it } from 'vitest'
import { candidatesOf, read } from './read.ts'

const RULE = 'In the voucher import, always wait for `foo_bar` before you send mail.'
const OLD_RULE = 'In the voucher import, always wait for baz_qux before you send mail'

describe('a correction', () => {
  it.each([
    ['Actually, forget 417. The attempts of the price sync is 500.', '500 (price sync) was 417'],
    ['Correction: the attempts of the price sync is 500. Not 417.', '500 (price sync) was 417'],
    ['I was wrong about that. The attempts of the price sync is 500.', '500 (price sync)'],
    ['Sorry, I was wrong: the attempts of the price sync is 500.', '500 (price sync)'],
    ['Scratch that, use Redis.', 'cache: Redis'],
    ["On second thought, let's use MySQL.", 'datastore: MySQL'],
    ['wait, no, port 9000', 'setting:port: 9000'],
    ['The timeout is not 417 but 500 ms.', 'setting:timeout: 500 ms was 417 ms'],
    ['The port is 9000, not 8080.', 'setting:port: 9000 was 8080'],
    ['Use port 9000 instead of 8080.', 'setting:port: 9000 was 8080'],
    ['Set the timeout to 500 ms instead.', 'setting:timeout: 500 ms'],
    ['Put the fixtures into test/data instead of test/fixtures.', 'test/data was test/fixtures'],
    ['Actually, forget SQLite. For our master data we go with MySQL.', 'datastore: MySQL'],
    ['Das Timeout ist nicht 417, sondern 500 ms.', 'setting:timeout: 500 ms was 417 ms'],
    ['Nein, doch lieber Redis.', 'cache: Redis'],
    ['Oublie 417, le timeout est de 500 ms.', 'setting:timeout: 500 ms was 417 ms'],
    ['En realidad, usamos MySQL.', 'datastore: MySQL'],
    ['На самом деле, берём PostgreSQL.', 'datastore: PostgreSQL'],
    ['其实用 PostgreSQL。', 'datastore: PostgreSQL'],
  ])('is a change: %s', (text, expected) => {
    const candidates = candidatesOf(text)
    expect(candidates).toHaveLength(1)
    expect(candidates[0]).toMatchObject({ kind: 'assert', isChange: true })
    expect(read(text)[0]).toContain(expected)
  })

  it('answers a proposal', () => {
    expect(candidatesOf('no, make it 9000', 'I will set the port to 8080.')).toMatchObject([
      { kind: 'assert', choice: { slot: 'setting:port', choice: '9000' }, isChange: true },
    ])
  })

  it.each([`Correction: ${RULE} Not \`baz_qux\`.`, `Actually, forget \`baz_qux\`. ${RULE}`])(
    'is no part of a rule: %s',
    (text) => {
      const [plain] = candidatesOf(RULE)
      const [corrected, ...others] = candidatesOf(text)
      expect(others).toEqual([])
      if (plain?.kind !== 'assert' || corrected?.kind !== 'assert') throw new Error('no rule was read')
      expect(corrected.choice.slot).toBe(plain.choice.slot)
      expect(corrected.choice.choice).toBe(plain.choice.choice)
      expect(corrected).toMatchObject({ isChange: true, replaces: OLD_RULE })
    },
  )

  it('gives a rule with another name the same slot', () => {
    const [one] = candidatesOf(RULE)
    const [other] = candidatesOf(RULE.replace('foo_bar', 'baz_qux'))
    if (one?.kind !== 'assert' || other?.kind !== 'assert') throw new Error('no rule was read')
    expect(one.choice.slot).toBe(other.choice.slot)
  })

  it.each([
    'Actually, that works.',
    'Correction: the bug is in line 41, not in line 40.',
    'forget it',
    'No, the other file.',
  ])('of something else decides nothing: %s', (text) => {
    expect(read(text)).toEqual([])
  })
})
