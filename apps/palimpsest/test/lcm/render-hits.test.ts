import { expect, it } from 'vitest'
import { lines, useStoreFolder } from './store-folder.ts'

const { write, prints } = useStoreFolder()

it('a pattern that takes too long is told of without what the command cannot do', async () => {
  await write('talk.jsonl', lines([{ role: 'user', content: 'a'.repeat(4_000) }]))
  await prints('import', 'talk.jsonl')
  const line = await prints('grep', '(.*a){25}b', '--mode', 'regex')
  expect(line).toContain('takes too long on m0')
  expect(line).not.toMatch(/"first"|--limit/)
})
