import { it } from 'vitest'
import { haveChat } from '../../../scripts/example-chat.ts'

const HOOKS = new URL('support/use-node-database.ts', import.meta.url).href

it('is a chat that another process goes on with, past the window', () =>
  haveChat('langchain', ['--import', HOOKS]))
