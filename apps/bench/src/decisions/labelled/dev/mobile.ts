import { assistant, type LabelledConversation, none, talk, user } from '../conversation.ts'
import { accept, assert, maybe, pick, propose, retract, rule } from '../label.ts'

/** Mobile apps and front ends. */
export const mobile: readonly LabelledConversation[] = [
  talk('dev-mobile-1', 'en', [
    user(
      'Building a field survey app, offline first. React Native with Expo.',
      assert('mobile', 'React Native'),
      maybe(assert('any', 'Expo')),
      maybe(assert('mobile', 'Expo')),
    ),
    assistant(
      'For local data you could use WatermelonDB or SQLite. I lean towards SQLite, it has fewer moving parts.',
      maybe(propose('datastore', 'WatermelonDB')),
      propose('datastore', 'SQLite'),
    ),
    user('agreed, sqlite', pick('datastore', 'sqlite')),
    assistant('State: Zustand would be my pick.', propose('any', 'Zustand')),
    user("Let's do that.", accept('any', 'Zustand')),
    none('question', 'does Expo support background location?'),
    assistant('Yes, with a config plugin. Flutter has something similar.'),
    none('reported', 'The client’s cousin insists on Flutter, lol'),
    user(
      'Sync every 15 minutes, max 3 photos per record',
      assert('setting:sync', '15 minutes'),
      assert('setting:photos', '3'),
    ),
    user('make that 5 photos', assert('setting:photos', '5')),
  ]),
  talk('dev-mobile-2', 'en', [
    user(
      'web client: Vite + Svelte, styles with Tailwind, yarn as package manager.',
      assert('build-tool', 'Vite'),
      assert('frontend', 'Svelte'),
      assert('styling', 'Tailwind'),
      assert('package-manager', 'yarn'),
    ),
    assistant('Set up. `yarn dev` starts it on port 5173.'),
    none('one-off', 'open the page in chromium and take a screenshot'),
    user('pnpm instead of yarn please, disk space', assert('package-manager', 'pnpm', { replaces: 'yarn' })),
    none('history', 'We used to use webpack. Builds took nine minutes.'),
    user('Buttons must be at least 44 px high.', rule('at least 44 px')),
    none('hypothetical', 'what if somebody wants to use it on a watch?'),
    user(
      'Drop Tailwind; CSS modules from here on.',
      assert('styling', 'CSS modules', { replaces: 'Tailwind' }),
      maybe(retract('styling', 'Tailwind')),
    ),
    none(
      'code',
      '```json\n{ "packageManager": "npm@10", "type": "module" }\n```\nWhy does this package.json warn?',
    ),
    none('statement', 'The button is blue on iOS and green on Android.'),
  ]),
  talk('dev-mobile-3', 'en', [
    none('undecided', 'Vue or Solid for the admin panel… I keep going back and forth.'),
    assistant('Given your team I recommend Vue: two of you know it.', propose('frontend', 'Vue')),
    none('undecided', 'maybe. let me ask them first'),
    assistant('Of course.'),
    user(
      'They are happy with Vue, so go ahead with it for the admin panel',
      pick('frontend', 'Vue', { area: 'admin panel' }),
    ),
    none('question', 'Which test runner fits best?'),
    assistant(
      'Vitest, since Vite is there already. Jest needs its own transform.',
      propose('test-runner', 'Vitest'),
    ),
    user('k', accept('test-runner', 'Vitest')),
    user('No default exports. Ever.', rule('default exports')),
    none('quote', 'Apple writes "apps must use HTTPS". Where do I configure exceptions?'),
  ]),
]
