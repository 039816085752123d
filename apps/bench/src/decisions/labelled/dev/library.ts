import { assistant, type LabelledConversation, none, ran, talk, user } from '../conversation.ts'
import { assert, maybe, pick, propose, retract, rule } from '../label.ts'

/** Documentation and plain library work. */
export const library: readonly LabelledConversation[] = [
  talk('dev-library-1', 'en', [
    user(
      'Docs: MkDocs, British spelling, one sentence per line. Licence is MIT.',
      assert('any', 'MkDocs'),
      maybe(rule('British spelling')),
      maybe(rule('one sentence per line')),
      assert('license', 'MIT'),
    ),
    assistant('I drafted the page. It mentions Docusaurus once, as a comparison.'),
    none('question', 'Do we need to mention Docusaurus at all?'),
    assistant('No. I would remove that sentence.'),
    none('one-off', 'yes, remove it'),
    user('Apache-2.0 instead of MIT, legal insists.', assert('license', 'Apache-2.0', { replaces: 'MIT' })),
    user(
      'call the function `parseHeader` from now on, not `readHeader`',
      assert('name:readHeader', 'parseHeader'),
    ),
    none('negation', 'I did not ask for a changelog.'),
  ]),
  talk('dev-library-2', 'en', [
    user(
      'This library targets Node 22 and has zero runtime dependencies. Keep it that way.',
      assert('setting:node', '22'),
      rule('zero runtime dependencies'),
    ),
    assistant(
      'Then I would write the tests with node:test and use Biome as linter and formatter.',
      propose('test-runner', 'node:test'),
      propose('linter', 'Biome'),
      maybe(propose('formatter', 'Biome')),
    ),
    user(
      'Biome: yes. Tests: vitest.',
      pick('linter', 'Biome'),
      maybe(pick('formatter', 'Biome')),
      assert('test-runner', 'vitest'),
    ),
    none('statement', 'Coverage is at 83 % right now.'),
    user('Errors are thrown as PalError, nothing else may be thrown.', rule('PalError')),
    none(
      'quote',
      'A user opened an issue titled "Please use Zod instead of custom validation". How should I answer?',
    ),
    assistant('Thank them, and point to the rule about dependencies.'),
    none('one-off', 'draft that answer in two sentences'),
    user('Buffers default to 64 KiB.', assert('setting:buffers', '64 KiB')),
    ...ran(
      'bash',
      { command: 'npm view left-pad' },
      'left-pad@1.3.0 | WTFPL\nDEPRECATED use String.prototype.padStart()',
    ),
    assistant('left-pad is deprecated.'),
  ]),
  talk('dev-library-4', 'en', [
    none('question', 'lol why did we even look at that'),
    user(
      'public functions are camelCase, types PascalCase',
      assert('naming', 'camelCase'),
      assert('naming', 'PascalCase'),
    ),
    none('undecided', 'ESM only or dual? I could live with either.'),
    assistant(
      'ESM only is simpler to publish and every supported Node can require it.',
      maybe(propose('any', 'ESM only')),
    ),
    user('Then ESM only.', pick('any', 'ESM only')),
  ]),
  talk('dev-library-3', 'en', [
    none(
      'transcript',
      'User: which logger?\nAssistant: I suggest Winston.\nUser: yes, use Winston.\n\n^ that is a chat from another project, can you tell why the bot picked it?',
    ),
    assistant('It does not say. Winston is simply well known.'),
    none('statement', 'Interesting, thank you.'),
    user(
      'So, to sum up what holds for this repo: tsup bundles, changesets for releases, main is the only long-lived branch, and src/internal is where private helpers live.',
      assert('build-tool', 'tsup'),
      assert('any', 'changesets', { area: 'releases' }),
      maybe(assert('branching', 'main')),
      assert('location', 'src/internal'),
    ),
    none('hypothetical', 'Were we to support Deno, what would have to change?'),
    user(
      'No support for Deno. That is final.',
      maybe(retract('any', 'Deno')),
      maybe(rule('support for Deno')),
    ),
    user('we stopped using changesets btw', retract('any', 'changesets')),
  ]),
]
