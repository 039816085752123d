/** Names that announce a secret: `GEMINI_API_KEY`, `GITHUB_TOKEN`, `AWS_SECRET_ACCESS_KEY`, `PGPASSWORD`. */
const SECRET_NAME =
  /(?:^|_)(?:API_?)?(?:KEYS?|TOKENS?|SECRETS?|CREDENTIALS?|AUTH)(?:_|$)|PASS(?:WORD|WD|PHRASE)|_PWD$/i

/** Settings for commands that nobody sits in front of. */
const UNATTENDED = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
} as const

/** The environment of a command: this process's own without what is secret by its name. */
export function commandEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name]) => name === 'SSH_AUTH_SOCK' || !SECRET_NAME.test(name),
  )
  return { ...Object.fromEntries(kept), ...UNATTENDED }
}
