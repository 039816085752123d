import { assistant, type LabelledConversation, none, talk, user } from '../conversation.ts'
import { accept, assert, maybe, pick, propose, retract, rule } from '../label.ts'

/** Front ends and apps. */
export const mobile: readonly LabelledConversation[] = [
  talk('third-mobile-1', 'en', [
    user(
      "We're building the driver app in Flutter, state management with Riverpod.",
      assert('mobile', 'Flutter'),
      assert('any', 'Riverpod'),
    ),
    assistant(
      'Great. For local storage I propose Drift, and go_router for navigation.',
      propose('any', 'Drift'),
      propose('any', 'go_router'),
    ),
    user(
      'go_router yes, Drift no. Isar please',
      pick('any', 'go_router'),
      assert('any', 'Isar'),
      maybe(retract('any', 'Drift')),
    ),
    none('question', 'Is Isar still maintained btw?'),
    assistant('Barely: the last stable release is two years old. Drift is maintained actively.'),
    user('ugh. Drift then.', pick('any', 'Drift')),
    none('statement', 'Drivers mostly have cheap Androids with 3 GB RAM'),
    user('min SDK is 26', assert('setting:min-sdk', '26')),
    user(
      'The app has to work offline for at least 8 hours',
      rule('work offline'),
      maybe(assert('setting:offline', '8 hours')),
    ),
    none('reported', 'the drivers union wants the location sharing to be off by default'),
    none('one-off', 'Give me a list of all the widgets that still use setState'),
  ]),
  talk('third-mobile-2', 'en', [
    user(
      'Landing page: Astro, plain CSS with custom properties, deployed on Netlify',
      assert('frontend', 'Astro'),
      assert('styling', 'plain CSS'),
      assert('hosting', 'Netlify'),
    ),
    none('one-off', 'make the hero image lazy load and check lighthouse again'),
    assistant('The score is 97 now. Next.js pages of this size usually reach 85.'),
    none('reported', 'Our designer keeps telling me Tailwind would have been faster'),
    user(
      'breakpoints are 640, 1024 and 1440 px',
      maybe(assert('setting:breakpoints', '640, 1024 and 1440 px')),
      maybe(assert('setting:breakpoints', '640')),
    ),
    user(
      'Move hosting over to Cloudflare Pages, Netlify got too expensive',
      assert('hosting', 'Cloudflare Pages', { replaces: 'Netlify' }),
    ),
    none('hypothetical', 'Would it be hard to add a React island later on?'),
    user("alt texts are mandatory on every image, please don't forget", rule('alt texts are mandatory')),
    none('question', 'can Cloudflare Pages do redirects by country, or does that need a worker?'),
    none(
      'quote',
      'Google says "Use WebP or AVIF instead of PNG", but is there any browser left that cannot do AVIF?',
    ),
  ]),
  talk('third-mobile-3', 'en', [
    none(
      'code',
      'why is this rerendering all the time?\n```tsx\n// we use MobX here\nconst store = useLocalObservable(() => ({ n: 0 }))\nexport default observer(Counter) // keep default exports\n```',
    ),
    assistant(
      'Because the parent creates a new `onChange` on every render. I would move this state to Zustand, it is simpler.',
      propose('any', 'Zustand'),
    ),
    none('negation', "nope, don't want zustand"),
    assistant(
      'Then Jotai, or plain useReducer?',
      maybe(propose('any', 'Jotai')),
      maybe(propose('any', 'useReducer')),
    ),
    user("useReducer's enough", pick('any', 'useReducer')),
    user(
      'named exports only, no default exports anywhere',
      rule('named exports only'),
      maybe(rule('no default exports')),
    ),
    none('question', 'does eslint have a rule for that?'),
    assistant(
      'Yes, `import/no-default-export`. Shall I enable it?',
      maybe(propose('any', 'import/no-default-export')),
    ),
    user('go ahead', maybe(accept('any', 'import/no-default-export'))),
    user(
      'component tests with Testing Library, running on Vitest',
      assert('any', 'Testing Library'),
      assert('test-runner', 'Vitest'),
    ),
  ]),
  talk('third-mobile-4', 'en', [
    user(
      'iOS only, SwiftUI, minimum iOS 17',
      maybe(assert('any', 'iOS only')),
      assert('any', 'SwiftUI'),
      assert('setting:minimum-ios', '17'),
    ),
    assistant('I will use SwiftData for persistence unless you object.', propose('any', 'SwiftData')),
    user('I do object :) Core Data, we know its bugs', assert('any', 'Core Data')),
    none('history', 'We tried Realm back in 2021 and regretted it'),
    user('`fetchRides()` becomes `loadRides(since:)`', assert('name:fetchRides()', 'loadRides(since:)')),
    none('undecided', 'TCA or plain MVVM... honestly I keep going back and forth'),
    assistant('For an app with six screens, MVVM is enough.', maybe(propose('any', 'MVVM'))),
    user('okay convinced', maybe(accept('any', 'MVVM'))),
    none('one-off', 'can you open the simulator and take a screenshot of the ride list'),
    user(
      'Animations take 250 ms, all of them.',
      assert('setting:animations', '250 ms'),
      maybe(rule('250 ms')),
    ),
  ]),
]
