import type { ToolCall } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { fileTouches } from '../../src/tools/file-touches.ts'

const files = (name: string, args: unknown): string[] =>
  fileTouches({ id: 'a', type: 'function', function: { name, arguments: JSON.stringify(args) } }).map(
    ({ path, operation }) => `${operation} ${path}`,
  )

describe('fileTouches', () => {
  it.each<[string, string, unknown, string[]]>([
    ['pi', 'read', { path: 'a.ts' }, ['read a.ts']],
    ['pi', 'edit', { path: 'a.ts', oldText: 'x', newText: 'y' }, ['edited a.ts']],
    ['pi', 'write', { path: 'a.ts', content: '' }, ['created a.ts']],
    ['Claude Code', 'Read', { file_path: '/x/a.ts', limit: 3 }, ['read /x/a.ts']],
    ['Claude Code on Windows', 'Read', { file_path: 'C:\\x\\a b.ts' }, ['read C:/x/a b.ts']],
    ['Claude Code', 'MultiEdit', { file_path: '/x/a.ts', edits: [] }, ['edited /x/a.ts']],
    ['Claude Code', 'NotebookEdit', { notebook_path: '/x/a.ipynb' }, ['edited /x/a.ipynb']],
    ['Claude Code', 'Grep', { pattern: 'x', path: 'src/a.ts' }, ['searched src/a.ts']],
    [
      'an editor with commands',
      'str_replace_based_edit_tool',
      { command: 'view', path: 'a.ts' },
      ['read a.ts'],
    ],
    [
      'an editor with commands',
      'str_replace_based_edit_tool',
      { command: 'create', path: 'a.ts' },
      ['created a.ts'],
    ],
    ['a tool of unknown name', 'frobnicate', { filename: 'a.ts', new_string: 'x' }, ['edited a.ts']],
    ['a deletion', 'delete_file', { target_file: 'a.ts' }, ['deleted a.ts']],
    ['a list of files', 'read_many_files', { paths: ['a.ts', 'b.ts'] }, ['read a.ts', 'read b.ts']],
    [
      'Codex',
      'shell',
      {
        command: [
          'bash',
          '-lc',
          "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.ts\n*** Add File: b.ts\n*** End Patch\nEOF",
        ],
      },
      ['edited a.ts', 'created b.ts'],
    ],
    [
      'Codex',
      'apply_patch',
      { input: '*** Begin Patch\n*** Delete File: a.ts\n*** End Patch' },
      ['deleted a.ts'],
    ],
    ['a shell', 'bash', { command: 'cd x && cat a.ts | head -3; rm -f b.ts' }, ['read a.ts', 'deleted b.ts']],
    [
      'a shell',
      'bash',
      { command: "sed -i 's/a/b/' src/a.ts && mv old.ts new.ts" },
      ['edited src/a.ts', 'deleted old.ts', 'created new.ts'],
    ],
    ['a shell', 'bash', { command: "cat > out.txt <<'EOF'\nrm -rf everything.ts\nEOF" }, ['created out.txt']],
    ['a shell', 'bash', { command: 'npm test > /dev/null 2>&1' }, []],
  ])('knows what %s does with %s', (_, name, args, expected) => {
    expect(files(name, args)).toEqual(expected)
  })

  it('reads free text of a custom tool', () => {
    const call: ToolCall = {
      id: 'a',
      type: 'custom',
      custom: { name: 'apply_patch', input: '*** Begin Patch\n*** Update File: a.ts\n' },
    }
    expect(fileTouches(call)).toEqual([{ path: 'a.ts', operation: 'edited' }])
  })

  it('does not split a command inside quotes', () => {
    expect(
      files('bash', { command: 'git commit -m "one; rm two.ts && cat three.ts" && touch b.ts' }),
    ).toEqual(['created b.ts'])
  })

  it('finds the path in arguments that were cut off', () => {
    const call: ToolCall = {
      id: 'a',
      type: 'function',
      function: { name: 'write', arguments: '{"path":"a.ts","content":"abc' },
    }
    expect(fileTouches(call)).toEqual([{ path: 'a.ts', operation: 'created' }])
  })
})
