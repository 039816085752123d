import { activeBranch, type TreeNode } from '../active-branch.ts'
import type { AnswerLine, ClaudeLine } from './claude-line.ts'

/**
 * The lines of the branch that the session ended on. Lines form a tree by `parentUuid`, and an edited prompt or a
 * rewind begins a new branch. Parallel calls hang under each other, and each result under its call, so the blocks of
 * a response and the results of its calls come with any one of them.
 */
export function activeLines(lines: readonly ClaudeLine[], nodes: readonly TreeNode[]): ClaudeLine[] {
  const leaf = lines.findLast((line) => isMessage(line) && line.uuid !== undefined)
  const leafIndex = nodes.findLastIndex(({ id }) => id === leaf?.uuid)
  if (leafIndex === -1) return [...lines]

  const branch = activeBranch(nodes, leafIndex)
  const onBranch = ({ uuid }: ClaudeLine) => uuid === undefined || branch.has(uuid)
  const answers = lines.filter((line) => line.kind === 'answer')
  const responses = new Set(answers.filter(onBranch).map(responseKey))
  const keptAnswers = answers.filter((line) => onBranch(line) || responses.has(responseKey(line)))
  const calls = new Set(keptAnswers.flatMap(({ answer }) => answer.calls.map(({ id }) => id)))
  const answersCall = (line: ClaudeLine) =>
    line.kind === 'user' && line.turn.results.some(({ tool_call_id }) => calls.has(tool_call_id))

  const kept = new Set<ClaudeLine>(keptAnswers)
  for (const line of lines)
    if (line.kind !== 'answer' && (onBranch(line) || answersCall(line))) kept.add(line)

  const messages = new Map(lines.filter(isMessage).map((line) => [line.uuid, line]))
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]))
  return lines.filter((line) => {
    if (line.kind !== 'queued') return kept.has(line)
    const above = messageAbove(line.above, messages, parents)
    return above === undefined || kept.has(above)
  })
}

function isMessage({ kind }: ClaudeLine): boolean {
  return kind === 'answer' || kind === 'user'
}

function responseKey({ messageId, requestId, uuid }: AnswerLine): string {
  return messageId === undefined ? `line ${uuid}` : `${messageId} ${requestId ?? ''}`
}

function messageAbove(
  from: string | undefined,
  messages: ReadonlyMap<string | undefined, ClaudeLine>,
  parents: ReadonlyMap<string, string | null | undefined>,
): ClaudeLine | undefined {
  const seen = new Set<string>()
  for (
    let id: string | null | undefined = from;
    typeof id === 'string' && !seen.has(id);
    id = parents.get(id)
  ) {
    const message = messages.get(id)
    if (message !== undefined) return message
    seen.add(id)
  }
  return undefined
}
