import type { Message, ToolCall } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { changedFiles } from '../../src/dialogues/measure-probe.ts'

const files = new Set(['a.ts', 'b.ts', 'c.py'])
const changed = (...messages: Message[]): string[] => [...changedFiles(messages, files)].toSorted()
const says = (content: string): Message => ({ role: 'user', content })
const calls = (name: string, args: object): Message => ({
  role: 'assistant',
  content: null,
  tool_calls: [
    { id: 'c', type: 'function', function: { name, arguments: JSON.stringify(args) } } as ToolCall,
  ],
})

describe('changedFiles', () => {
  it('takes a call by its tool, whatever the new text says', () => {
    expect(changed(calls('edit_file', { path: 'src/a.ts', new_string: 'read b' }))).toEqual(['a.ts'])
    expect(changed(calls('read_file', { path: 'src/a.ts', note: 'edited' }))).toEqual([])
    expect(changed(calls('bash', { command: 'git mv src/a.ts src/b.ts' }))).toEqual(['a.ts', 'b.ts'])
    expect(changed(calls('bash', { command: 'rm src/c.py' }))).toEqual(['c.py'])
    expect(changed(calls('bash', { command: 'pytest src/c.py' }))).toEqual([])
  })

  it('takes a line of a summary by the nearest word, wherever the folder stands', () => {
    expect(changed(says('- src/a.ts (edited 2, read 3; last read t4)'))).toEqual(['a.ts'])
    expect(changed(says('- src/a.ts: read, turn 3 (read twice)'))).toEqual([])
    expect(changed(says('- src/: a.ts (edited, turn 3), b.ts (read, turn 4)'))).toEqual(['a.ts'])
    expect(changed(says('deleted src/c.py'))).toEqual(['c.py'])
    expect(changed(says('edited what was there\nsrc/a.ts'))).toEqual([])
  })

  it('leaves out what is no file of the repository, and names that are only part of another one', () => {
    expect(changed(says('edited other.ts and xa.ts'))).toEqual([])
  })
})
