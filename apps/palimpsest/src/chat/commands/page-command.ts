import type { ChatCommand } from './chat-command.ts'

export const pageCommand: ChatCommand = {
  name: 'page',
  help: 'opens the page that shows this context live in a browser',
  async run(_argument, { agent, openPage, print }) {
    print(`the page of this session: ${await openPage(agent.id)}`)
  },
}
