/** Answers as ripgrep does to the calls that the bench makes. */
export const FAKE_RIPGREP = `#!/usr/bin/env node
const { readFileSync } = require('node:fs')
const flags = process.argv.slice(2)
if (flags[0] === '--version') console.log("ripgrep 0.0.0 (a test's)\\nfeatures:none")
else {
  const [pattern, , file] = flags.slice(flags.indexOf('--regexp') + 1)
  const regex = new RegExp(pattern, flags.includes('--ignore-case') ? 'iu' : 'u')
  const count = readFileSync(file, 'utf8').split('\\n').filter((line) => regex.test(line)).length
  if (count > 0) console.log(count)
  else process.exitCode = 1
}
`
