import { type Message, renderSummary } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { createIdentifierMemory } from '../../src/identifiers/identifier-memory.ts'

const say = (content: string): Message => ({ role: 'user', content })
const names = (list: readonly { readonly text: string }[]) => list.map(({ text }) => text)

describe('the memory of identifiers', () => {
  it('puts what was needed often before what was named once, long after both were last seen', () => {
    const memory = createIdentifierMemory()
    const often = Array.from({ length: 12 }, () => say('Look at src/ledger.ts again.'))
    memory.add([...often, say('And src/window.ts too.')], 0)
    memory.add(
      Array.from({ length: 200 }, () => say('nothing')),
      13,
    )
    expect(names(memory.top(10))).toEqual(['src/ledger.ts', 'src/window.ts'])
    expect(memory.worthOf('src/ledger.ts')).toBeGreaterThan(2 * (memory.worthOf('src/window.ts') ?? 0))
    expect(memory.worthOf('src/other.ts')).toBeUndefined()
  })

  it('counts what somebody said for more than what stood in output', () => {
    const memory = createIdentifierMemory()
    memory.add([say('call flushQueue'), { role: 'tool', tool_call_id: 'a', content: 'drainQueue' }], 0)
    expect(names(memory.top(10))).toEqual(['flushQueue', 'drainQueue'])
  })

  it('hides secrets before it remembers anything, and passes over what is no message', () => {
    const memory = createIdentifierMemory()
    const key = `sk-ant-api03-${'aB3dE6gH9'.repeat(8)}`
    memory.add([say(`flushQueue with ${key}`), null as unknown as Message, say('drainQueue')], 0)
    expect(names(memory.top(10)).join(' ')).not.toContain('aB3dE6gH9')
    expect(memory.worthOf('drainQueue')).toBeGreaterThan(memory.worthOf('flushQueue') ?? 1)
    expect(memory.messages).toBe(3)
  })

  it('forgets what the host took back', () => {
    const memory = createIdentifierMemory()
    memory.add([say('keep oldName'), say('drop newName'), say('and oldName')], 0)
    memory.add([say('instead otherName')], 1)
    expect(names(memory.top(10)).toSorted()).toEqual(['oldName', 'otherName'])
    memory.clear()
    expect(memory.size).toBe(0)
  })

  it('makes room for thousands, however much more than all others a few are needed', () => {
    const memory = createIdentifierMemory()
    const needed = say('mostNeeded')
    let grown = 0
    let before = 0
    for (let index = 0; index < 120; index++) {
      const listed = Array.from({ length: 300 }, (_, at) => `listed_${index + 1000}_${at + 1000}`).join(' ')
      memory.add([needed, { role: 'tool', tool_call_id: 'a', content: listed }], 2 * index)
      if (memory.size > before) grown++
      before = memory.size
    }
    expect(memory.size).toBeLessThanOrEqual(20_000)
    // It shrinks now and then, by half, and not with each message.
    expect(grown).toBeGreaterThan(110)
    expect(memory.worthOf('mostNeeded')).toBeGreaterThan(0)
  })

  it('knows after a rewind what it would know without what came behind', () => {
    const told = Array.from({ length: 40 }, (_, index) =>
      say(index % 2 === 0 ? 'settleLedger' : 'flushQueue'),
    )
    const [rewound, never] = [createIdentifierMemory(), createIdentifierMemory()]
    rewound.add(told, 0)
    rewound.add([say('nothing')], 20)
    never.add([...told.slice(0, 20), say('nothing')], 0)
    const ratio = (rewound.worthOf('settleLedger') ?? 0) / (never.worthOf('settleLedger') ?? 1)
    expect(ratio).toBeGreaterThan(0.6)
    expect(ratio).toBeLessThan(1.4)
    expect(rewound.messages).toBe(21)
  })

  it('takes messages one by one as it takes them together, also when there are too many names', () => {
    const batches = Array.from({ length: 30 }, (_, batch) =>
      say(Array.from({ length: 900 }, (_, at) => `name_${batch + 10}_${at + 1000}`).join(' ')),
    )
    const [together, single] = [createIdentifierMemory(), createIdentifierMemory()]
    together.add(batches, 0)
    for (const [index, message] of batches.entries()) single.add([message], index)
    expect(names(together.top(50))).toEqual(names(single.top(50)))
    expect(together.size).toBe(single.size)
    expect(together.size).toBeLessThanOrEqual(20_000)
  })

  it('knows the turn of each message, counted through the session', () => {
    const memory = createIdentifierMemory()
    const answer: Message = { role: 'assistant', content: 'Done.' }
    const [first, second, third] = [say('one'), say('two'), say('three')]
    memory.add([first, answer, say(renderSummary('## Goal\nAn importer.')), second], 0)
    expect([first, answer, second].map(memory.turnOf)).toEqual([1, 1, 2])
    memory.add([third], 1)
    expect(memory.turnOf(third)).toBe(2)
    expect(memory.turnOf(say('never told'))).toBeUndefined()
  })

  it('stays bounded: of too many it keeps those that are needed most', () => {
    const memory = createIdentifierMemory()
    memory.add([say('mostNeeded'), say('mostNeeded'), say('mostNeeded')], 0)
    for (let batch = 0; batch < 30; batch++)
      memory.add(
        [say(Array.from({ length: 1000 }, (_, at) => `name_${batch + 10}_${at + 1000}`).join(' '))],
        3 + batch,
      )
    expect(memory.size).toBeLessThanOrEqual(20_000)
    expect(memory.worthOf('mostNeeded')).toBeGreaterThan(0)
    expect(memory.worthOf('name_39_1999')).toBeGreaterThan(0)
    expect(memory.worthOf('name_10_1000')).toBeUndefined()
  })
})
