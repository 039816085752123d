import type { Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { touchesOf } from '../../src/extract/touches-of.ts'

const call = (id: string, name: string, args: object) =>
  ({ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }) as const
const result = (id: string, content: string): Message => ({ role: 'tool', tool_call_id: id, content })

describe('touchesOf', () => {
  it('tells what the calls of any agent did to files', () => {
    const message: Message = {
      role: 'assistant',
      tool_calls: [
        call('a', 'Read', { file_path: 'src/a.ts' }),
        call('b', 'Edit', { file_path: 'src/b.ts', old_string: 'x', new_string: 'y' }),
        call('c', 'Bash', { command: 'rm src/old.ts && cat > src/new.ts' }),
        call('d', 'apply_patch', { input: '*** Begin Patch\n*** Update File: src/d.ts\n*** End Patch' }),
      ],
    }
    expect(touchesOf({ index: 4, turn: 2, message, results: [] })).toEqual([
      { message: 4, call: 0, turn: 2, path: 'src/a.ts', operation: 'read', failed: false },
      { message: 4, call: 1, turn: 2, path: 'src/b.ts', operation: 'edited', failed: false },
      { message: 4, call: 2, turn: 2, path: 'src/old.ts', operation: 'deleted', failed: false },
      { message: 4, call: 2, turn: 2, path: 'src/new.ts', operation: 'created', failed: false },
      { message: 4, call: 3, turn: 2, path: 'src/d.ts', operation: 'edited', failed: false },
    ])
  })

  it('marks the calls whose results say that they failed', () => {
    const message: Message = {
      role: 'assistant',
      tool_calls: [call('a', 'Read', { path: 'a.ts' }), call('b', 'Read', { path: 'b.ts' })],
    }
    const results = [result('b', 'Error: no such file'), result('a', 'export const x = 1')]
    expect(
      touchesOf({ index: 0, turn: 1, message, results }).map(({ path, failed }) => [path, failed]),
    ).toEqual([
      ['a.ts', false],
      ['b.ts', true],
    ])
  })

  it('gives nothing for messages without calls or of wrong types', () => {
    const wrong = [
      null,
      { role: 'user', content: 'x' },
      { role: 'assistant', tool_calls: 'x' },
    ] as unknown as Message[]
    for (const message of wrong)
      expect(touchesOf({ index: 0, turn: 1, message, results: [null as unknown as Message] })).toEqual([])
  })
})
