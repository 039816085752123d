import { describe, expect, test } from 'vitest'
import { createToolCallStream } from '../../src/formats/openai-chat.ts'

const OWN = new Set(['lcm_grep', 'lcm_grep_all'])
const call = (index: number | undefined, id: string | undefined, name: string | undefined, text: string) => ({
  ...(index !== undefined && { index }),
  ...(id !== undefined && { id }),
  type: 'function',
  function: { ...(name !== undefined && { name }), arguments: text },
})

/** The pieces for the client, and all calls as names with arguments. */
function run(pieces: readonly object[]) {
  const stream = createToolCallStream(OWN)
  const shown = [...pieces.flatMap((piece) => stream.take([piece])), ...stream.flush()]
  const calls = stream.calls.map((one) => one.function as { name: string; arguments: string })
  return { shown, calls: calls.map(({ name, arguments: text }) => `${name}(${text})`) }
}

describe('the pieces of tool calls', () => {
  test('of the client pass at once, those of the engine never; indexes are counted anew', () => {
    const { shown, calls } = run([
      call(0, 'a', 'lcm_grep', ''),
      call(0, undefined, undefined, '{"x":'),
      call(1, 'b', 'read', '{'),
      call(0, undefined, undefined, '1}'),
      call(1, undefined, undefined, '}'),
    ])
    expect(calls).toEqual(['lcm_grep({"x":1})', 'read({})'])
    expect(shown).toEqual([call(0, 'b', 'read', '{'), call(0, undefined, undefined, '}')])
  })

  test('wait while the name could still become one of the engine’s', () => {
    const { shown } = run([
      call(0, 'a', 'lcm_', ''),
      call(0, undefined, 'gr', ''),
      call(0, undefined, 'oup', ''),
      call(0, undefined, undefined, '{}'),
    ])
    expect(shown).toEqual([call(0, 'a', 'lcm_group', ''), call(0, undefined, undefined, '{}')])
  })

  test('come at the end when their name stayed a beginning of one', () => {
    expect(run([call(0, 'a', 'lcm', '')]).shown).toEqual([call(0, 'a', 'lcm', '')])
    expect(run([call(0, 'a', 'lcm', '{}')]).shown).toEqual([call(0, 'a', 'lcm', '{}')])
    expect(run([call(0, 'a', 'lcm_grep', '')]).shown).toEqual([])
  })

  test.each([
    ['without an index', undefined],
    ['all with the same index', 0],
  ])('are told apart by their ids %s', (_, index) => {
    const pieces = [
      call(index, 'a', 'read', '{"p":1}'),
      call(index, 'b', 'lcm_grep', '{}'),
      call(index, 'c', 'ls', '{}'),
    ]
    const { shown, calls } = run(pieces)
    expect(calls).toEqual(['read({"p":1})', 'lcm_grep({})', 'ls({})'])
    expect(shown).toEqual([call(0, 'a', 'read', '{"p":1}'), call(1, 'c', 'ls', '{}')])
  })

  test('keep what else came with them, such as a signature', () => {
    const signed = { ...call(0, 'a', 'read', '{}'), extra_content: { google: { thought_signature: 's' } } }
    const stream = createToolCallStream(OWN)
    expect(stream.take([signed])).toEqual([signed])
    expect(stream.calls[0]).toMatchObject({ extra_content: { google: { thought_signature: 's' } } })
  })
})
