import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { replayCommand } from '../src/replay/replay-command.ts'

const wordsOf = (command: string) =>
  execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n')

it
  .skipIf(process.platform === 'win32')
  .each(['/tmp/session.jsonl', "/tmp/it's here/$(touch x) `y` & z.jsonl", '/tmp/"quoted" \\ *.jsonl'])(
  'a shell takes the command to replay %s as it is',
  (path) => {
    expect(wordsOf(replayCommand(path) ?? '')).toEqual(['replay', path])
  },
)

it('a path with a line break has no command', () => {
  expect(replayCommand('/tmp/a\nb')).toBeUndefined()
})
