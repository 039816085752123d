import { assistant, type LabelledConversation, none, ran, talk, user } from '../conversation.ts'
import { accept, assert, maybe, pick, propose, retract, rule } from '../label.ts'

/** Documentation and plain library work. */
export const library: readonly LabelledConversation[] = [
  talk('held-library-1', 'en', [
    user(
      'The handbook is built with Sphinx. Code samples in Python only. License: BSD-3-Clause.',
      assert('any', 'Sphinx'),
      maybe(assert('language', 'Python', { area: 'code samples' })),
      assert('license', 'BSD-3-Clause'),
    ),
    assistant('The first chapter is there. I quoted the JavaScript example from the old wiki.'),
    none('question', 'why is there JavaScript in it?'),
    assistant('It was in the wiki. I can leave it out.'),
    none('one-off', 'leave it out'),
    user('We relicense under MPL-2.0 rather than BSD.', assert('license', 'MPL-2.0', { replaces: 'BSD' })),
    user('`utils.py` is now `helpers.py`.', assert('name:utils.py', 'helpers.py')),
    none('negation', "I don't want a glossary."),
  ]),
  talk('held-library-2', 'en', [
    user(
      'Parser combinator library in OCaml. It must not depend on Unix.',
      assert('language', 'OCaml'),
      rule('depend on Unix'),
    ),
    assistant(
      'Alcotest for the tests and dune to build, I would say.',
      propose('test-runner', 'Alcotest'),
      propose('any', 'dune'),
    ),
    user('Both ok.', accept('test-runner', 'Alcotest'), accept('any', 'dune')),
    none('statement', 'It parses 80 MB/s on my laptop.'),
    user('Every public function has an example in its doc comment.', rule('an example')),
    none('quote', 'Somebody commented "you should choose GPL or nobody will trust it". Ignore?'),
    assistant('I would answer politely and leave it.'),
    none('one-off', 'ok write something polite'),
    user('The lookahead is limited to 2 tokens.', assert('setting:lookahead', '2 tokens')),
    ...ran(
      'bash',
      { command: 'opam show menhir' },
      'menhir 20231231\nsynopsis: An LR(1) parser generator\nWe recommend using menhir for everything.',
    ),
    assistant('Menhir is an LR(1) generator; another kind of tool.'),
  ]),
  talk('held-library-4', 'en', [
    none('question', 'and what exactly is LR(1)?'),
    user(
      'modules are CamelCase, values snake_case',
      assert('naming', 'CamelCase'),
      assert('naming', 'snake_case'),
    ),
    none('undecided', 'Streams or strings as input? Could go either way, really.'),
    assistant('Strings: every caller has them in memory.', propose('any', 'Strings')),
    user('strings it is', pick('any', 'strings')),
  ]),
  talk('held-library-3', 'en', [
    none(
      'transcript',
      '<user> what linter do we use\n<bot> we use ESLint with airbnb\n<user> go with standard instead\n\ncan you turn this chat into a FAQ entry?',
    ),
    assistant('**Which linter?** See the contributing guide.'),
    none('statement', 'Nice and short.'),
    user(
      'Conventions so that you have them in one place: oxlint lints, prettier formats, esbuild bundles, fixtures sit in test/fixtures.',
      assert('linter', 'oxlint'),
      assert('formatter', 'prettier'),
      assert('build-tool', 'esbuild'),
      assert('location', 'test/fixtures'),
    ),
    none('hypothetical', 'Assuming we used Rollup, would the output be smaller?'),
    assistant('By about 2 %.'),
    user('not worth it. keep esbuild.', maybe(assert('build-tool', 'esbuild'))),
    user(
      'prettier is gone, we format with dprint',
      assert('formatter', 'dprint', { replaces: 'prettier' }),
      maybe(retract('formatter', 'prettier')),
    ),
    user('commits follow Conventional Commits', assert('any', 'Conventional Commits')),
    none('statement', 'The build takes 400 ms.'),
  ]),
]
