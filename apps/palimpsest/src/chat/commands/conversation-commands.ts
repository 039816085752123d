import type { ChatCommand } from './chat-command.ts'

export const newCommand: ChatCommand = {
  name: 'new',
  help: 'ends this session, which can be resumed, and begins a new one',
  async run(_argument, { agent, introduce, print }) {
    const { id, history } = agent
    const hasText = history.length > 0
    await agent.begin()
    introduce()
    if (hasText) print(`The session before goes on with: /resume ${id}`)
  },
}

export const resetCommand: ChatCommand = {
  name: 'reset',
  help: 'forgets this conversation and goes on under the same id; asks first',
  async run(_argument, { agent, choose, print }) {
    const answer = await choose(`Forget the conversation of session ${agent.id}?`, [
      { value: 'no', label: 'No', hint: 'keep it' },
      { value: 'yes', label: 'Yes', hint: 'it cannot be brought back' },
    ])
    if (answer !== 'yes') return print('kept')
    await agent.reset()
    print('forgotten: the conversation is empty')
  },
}

export const undoCommand: ChatCommand = {
  name: 'undo',
  help: 'takes the last turn back and lets you write it anew; files stay as they are',
  async run(_argument, { agent, print, draft }) {
    const said = await agent.undo()
    if (said === undefined) return print('there is nothing to take back')
    print('taken back; files stay as they are')
    draft(said)
  },
}

export const retryCommand: ChatCommand = {
  name: 'retry',
  help: 'asks the last question again, after a turn that failed or was stopped',
  async run(_argument, { agent, print, turn }) {
    let isThere = true
    await turn(async (options) => {
      const end = agent.retry(options)
      isThere = end !== undefined
      return end ?? { reason: 'answered', text: '' }
    })
    if (!isThere) print('there is no question to ask again')
  },
}
