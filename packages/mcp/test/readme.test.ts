import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import * as core from '@palimpsest/core'
import * as lcm from '@palimpsest/lcm'
import * as sqlite from '@palimpsest/store'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../scripts/temporary-folder.ts'
import * as mcp from '../src/index.ts'
import { connect } from './connect.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const [, example = ''] = /```ts\n(.*?)```/s.exec(readme) ?? []

it('begins with a server that a client can search', async () => {
  const path = join(temporaryFolder(), `readme-${process.pid}.db`)
  const filled = sqlite.createSqliteStore({ path })
  const session = await filled.session({ key: 'main' }, 1)
  const message = { role: 'user' as const, content: 'The ledger port is 7443.' }
  await session.append({ nextSeq: 0, messages: [{ message, tokens: 9 }], at: 1 })
  await filled.close()
  const modules = {
    '@modelcontextprotocol/server/stdio': { serveStdio: (factory: () => unknown) => factory() },
    '@palimpsest/core': core,
    '@palimpsest/lcm': lcm,
    '@palimpsest/store': {
      createSqliteStore: () => sqlite.createSqliteStore({ path }),
    },
    '@palimpsest/mcp': mcp,
  }
  const program = stripTypeScriptTypes(example).replaceAll(
    /^import (\{[^}]*\}) from ('[^']*')$/gm,
    'const $1 = modules[$2]',
  )
  const { server, store } = new Function('modules', `${program}\nreturn { server, store }`)(modules)
  const client = await connect(server)
  const answer = await client.callTool({ name: 'lcm_grep', arguments: { query: 'ledger port' } })
  expect(answer.structuredContent).toMatchObject({ session: 'main', hits: [{ ref: 'm0' }] })
  await client.close()
  await store.close()
})
