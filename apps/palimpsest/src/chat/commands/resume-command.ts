import { counted } from '../../count.ts'
import type { ChatCommand } from './chat-command.ts'

export const resumeCommand: ChatCommand = {
  name: 'resume',
  argument: '[id]',
  help: 'goes on with an earlier session; without an id it lists them',
  async run(argument, { agent, chats, choose, print, resume }) {
    if (argument !== '') return resume(argument)
    const others = (await chats()).filter(({ id }) => id !== agent.id)
    if (others.length === 0) return print('there is no other session to go on with')
    const id = await choose(
      'Which session?',
      others.map(({ id, firstWords, messages, at }) => ({
        value: id,
        label: firstWords || id,
        hint: `${counted(messages, 'message')}, ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}`,
      })),
    )
    if (id !== undefined) await resume(id)
  },
}
