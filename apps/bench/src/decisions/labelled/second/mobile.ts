import { assistant, type LabelledConversation, none, talk, user } from '../conversation.ts'
import { accept, assert, maybe, propose, retract, rule } from '../label.ts'

/** Mobile apps and front ends. */
export const mobile: readonly LabelledConversation[] = [
  talk('held-mobile-1', 'en', [
    user(
      "Let's write the courier app in Flutter; Dart is what the team knows.",
      assert('mobile', 'Flutter'),
      maybe(assert('language', 'Dart')),
    ),
    assistant(
      'Local storage: Isar or SQLite. I suggest SQLite because Isar is barely maintained.',
      propose('datastore', 'SQLite'),
      maybe(propose('datastore', 'Isar')),
    ),
    user('fine by me', accept('datastore', 'SQLite')),
    assistant('And Riverpod for state?', propose('any', 'Riverpod')),
    user('no, Bloc.', assert('any', 'Bloc')),
    none('question', 'is there a plugin for barcode scanning?'),
    assistant('`mobile_scanner` is the common one. React Native has vision-camera.'),
    none('reported', 'Marketing wants it to be a PWA. They read an article.'),
    user(
      'GPS interval is 20 seconds; on low battery 2 minutes.',
      assert('setting:gps-interval', '20 seconds'),
      maybe(assert('setting:gps-interval', '2 minutes', { area: 'low battery' })),
    ),
    user('change the GPS interval to 30 seconds', assert('setting:gps-interval', '30 seconds')),
  ]),
  talk('held-mobile-2', 'en', [
    user(
      'Stack for the dashboard: Next.js, Sass, npm workspaces, Jest.',
      assert('frontend', 'Next.js'),
      assert('styling', 'Sass'),
      assert('package-manager', 'npm'),
      assert('test-runner', 'Jest'),
    ),
    assistant('The skeleton is in place.'),
    none('one-off', 'use lighthouse to check the start page'),
    user(
      'We switched from Jest to Vitest yesterday, adapt the scripts.',
      assert('test-runner', 'Vitest', { replaces: 'Jest' }),
    ),
    none('history', 'Originally the whole thing was written in AngularJS.'),
    user('Texts always go through the i18n catalogue, no literals in components.', rule('i18n catalogue')),
    none('hypothetical', 'Would Remix make the forms easier?'),
    user(
      'No more Sass: vanilla-extract replaces it.',
      assert('styling', 'vanilla-extract', { replaces: 'Sass' }),
      maybe(retract('styling', 'Sass')),
    ),
    none(
      'code',
      'does this look right to you?\n```js\nmodule.exports = { bundler: "webpack", useTabs: true }\n```',
    ),
    none('statement', 'Half of our users are on Firefox.'),
  ]),
  talk('held-mobile-3', 'en', [
    none('undecided', "We can't agree on Kotlin Multiplatform vs. two native apps."),
    assistant(
      'With three developers I would go for Kotlin Multiplatform.',
      propose('any', 'Kotlin Multiplatform'),
    ),
    none('undecided', 'I need to sleep on it.'),
    assistant('No rush.'),
    user(
      'ok decided: two native apps, Swift on iOS and Kotlin on Android',
      maybe(assert('any', 'two native apps')),
      assert('language', 'Swift', { area: 'iOS' }),
      assert('language', 'Kotlin', { area: 'Android' }),
    ),
    none('question', 'what do people use for snapshot tests these days?'),
    assistant(
      'On Android I would use Paparazzi; on iOS swift-snapshot-testing.',
      propose('any', 'Paparazzi'),
      propose('any', 'swift-snapshot-testing'),
    ),
    user('perfect, do it', accept('any', 'Paparazzi'), accept('any', 'swift-snapshot-testing')),
    user('Never block the main thread.', rule('block the main thread')),
    none('quote', 'Google\'s docs: "Use WorkManager for deferrable work." Does that apply to the GPS thing?'),
    user('minimum Android version is 9', assert('setting:minimum-android-version', '9')),
  ]),
]
