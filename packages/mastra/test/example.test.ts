import { it } from 'vitest'
import { haveChat } from '../../../scripts/example-chat.ts'

it('is a chat that another process goes on with, past the window', () => haveChat('mastra'))
