/** Blocks that hosts insert into a turn of the user, who did not say what stands in them. */
const INSERTED_TAGS = [
  'system-reminder',
  'local-command-stdout',
  'local-command-caveat',
  'task-notification',
  'environment_context',
  'user_instructions',
]

/** A message of the user without the blocks that a host inserted. */
export function ownWords(text: string): string {
  if (!text.includes('<')) return text
  let rest = text
  for (const tag of INSERTED_TAGS) {
    let start = rest.indexOf(`<${tag}>`)
    while (start !== -1) {
      const end = rest.indexOf(`</${tag}>`, start)
      rest = rest.slice(0, start) + (end === -1 ? '' : rest.slice(end + tag.length + 3))
      start = rest.indexOf(`<${tag}>`, start)
    }
  }
  return rest
}
