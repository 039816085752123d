import type { SlotNames } from './slot-names.ts'

/** What servers, pages and apps are built with. */
export const WEB_NAMES: SlotNames = {
  'web-framework': `Express = express.js, expressjs; Fastify; Koa = koa.js; Hapi = hapi.js; NestJS = nest.js; Hono; Elysia;
    AdonisJS = adonis; Feathers = feathersjs; Sails = sails.js; Django; Flask; FastAPI = fast api; Starlette; Tornado; Pyramid;
    Bottle; Sanic; Litestar; aiohttp; Falcon; Rails = ruby on rails, ror; Sinatra; Hanami; Grape; Roda; Spring Boot = spring, springboot;
    Quarkus; Micronaut; Dropwizard; Vert.x = vertx; Javalin; Ktor; Play Framework = play; Akka HTTP; http4s; ASP.NET Core = asp.net,
    aspnet, asp.net core; Laravel; Symfony; CodeIgniter; CakePHP; Yii; Slim; Lumen; Gin = gin-gonic; Echo; Fiber; Chi; Gorilla Mux =
    gorilla; net/http = stdlib http; Actix = actix-web, actix web; Axum; Rocket.rs = rocket; Warp; Poem; Phoenix; Plug; Vapor; Dart Frog;
    Shelf; Crow; Drogon; Strapi; Directus; WordPress; Drupal; Payload CMS; Keystone; Masonite; h3; Nitro; Oak; Bandit`,
  frontend: `React = react.js, reactjs; Vue = vue.js, vuejs, vue 3; Svelte; Angular; SolidJS = solid.js, solid; Preact; Lit;
    Ember = ember.js; Alpine.js = alpinejs, alpine; htmx; Qwik; Next.js = nextjs, next; Nuxt = nuxt.js; SvelteKit; Remix; Gatsby; Astro;
    SolidStart; Backbone.js; jQuery; Stencil; Mithril; Inferno; Stimulus; Hotwire = turbo hotwire; LiveView = phoenix liveview; Blazor;
    Elm; Yew; Leptos; Dioxus; TanStack Start; React Router; vanilla JavaScript = vanilla js, plain javascript, plain js; Web Components;
    Streamlit; Gradio; Eleventy = 11ty; Hugo; Jekyll; Docusaurus; VitePress; MkDocs; VuePress; Aurelia; Marko`,
  mobile: `React Native; Flutter; Expo; SwiftUI; UIKit; Jetpack Compose; Ionic; Capacitor; Cordova; Kotlin Multiplatform = kmp;
    .NET MAUI = maui; Xamarin; NativeScript; PWA = progressive web app`,
  desktop: `Electron; Tauri; Qt = pyqt, pyside; GTK; WPF; Avalonia; NW.js; Wails; Tkinter; egui; Neutralino; WinUI; JavaFX; wxWidgets`,
  'game-engine': `Unity; Unreal Engine = unreal; Godot; Bevy; Phaser; Pygame; MonoGame; LÖVE = love2d; Cocos; PixiJS = pixi;
    Three.js = threejs; Babylon.js; GameMaker; RPG Maker; Defold; libGDX; raylib; SDL = sdl2, sdl3; SFML; Ren'Py; PICO-8; Construct; CryEngine; O3DE; Flax Engine; Macroquad; ggez; Heaps; Kaboom; PlayCanvas; A-Frame; Box2D; Rapier`,
  styling: `Tailwind = tailwind css, tailwindcss; Bootstrap; Sass = scss; Less; CSS Modules = css module; styled-components =
    styled components; Emotion; vanilla-extract; UnoCSS; Bulma; Foundation CSS; PostCSS; Stylus; Panda CSS; Windi CSS; StyleX; Linaria;
    plain CSS = vanilla css; CSS-in-JS`,
  'component-library': `shadcn/ui = shadcn; Material UI = mui, material-ui; Chakra UI = chakra; Ant Design = antd; Mantine; Radix =
    radix ui; Headless UI; Vuetify; PrimeVue; Quasar; DaisyUI; NextUI; Element Plus; Naive UI; React Aria; Storybook; Semantic UI;
    Blueprint; Fluent UI; Carbon; Ark UI`,
  'state-management': `Redux = redux toolkit, rtk; Zustand; MobX; Jotai; Recoil; XState; Pinia; Vuex; NgRx; Effector; Valtio; Nanostores;
    React Context = context api; BLoC; Riverpod; GetX; Provider; Legend State; Elf; Akita; TanStack Query = react query; SWR; Apollo Client; RxJS; Signals; urql; Relay`,
  'api-style': `REST = restful, rest api, rest apis; GraphQL; gRPC = grpc; tRPC; SOAP; JSON-RPC = json rpc; OData; Connect RPC; Thrift; Twirp`,
  realtime: `WebSockets = websocket, web sockets, web socket; SSE = server-sent events, server sent events; long polling; polling;
    WebRTC; Socket.IO = socketio; SignalR; Pusher; Ably; Action Cable; Centrifugo; Phoenix Channels; webhooks = webhook; push notifications; FCM = firebase cloud messaging; APNs; OneSignal`,
  rendering: `SSR = server-side rendering, server side rendering; SSG = static site generation, static generation; CSR = client-side
    rendering, client side rendering; ISR = incremental static regeneration; SPA = single page app, single-page app; MPA`,
  templating: `Jinja = jinja2; Handlebars; Mustache; EJS; Pug; Nunjucks; ERB; Haml; Twig; Blade; Thymeleaf; Liquid; HEEx; Askama; Tera`,
  'http-client': `axios; got; node-fetch; undici; ky; superagent; fetch = native fetch, fetch api; requests; httpx; OkHttp; Retrofit; reqwest;
    Faraday; HTTParty; Guzzle; RestSharp; Alamofire; wretch; ofetch`,
  validation: `Zod; Yup; Joi; Ajv; Valibot; io-ts; class-validator; Pydantic; Marshmallow; Cerberus; TypeBox; ArkType; Superstruct; Vest;
    FluentValidation; JSON Schema; attrs; Effect Schema`,
  forms: `React Hook Form; Formik; TanStack Form; VeeValidate; FormKit; Final Form`,
  charts: `D3 = d3.js; Chart.js = chartjs; Recharts; ECharts; Plotly; Highcharts; Victory; Vega = vega-lite; matplotlib; seaborn; Nivo; visx;
    ApexCharts; uPlot; Bokeh; Altair; ggplot2 = ggplot; Tremor; AG Charts; Frappe Charts; Kibana; gnuplot; Manim; Mermaid charts`,
  i18n: `i18next = react-i18next; react-intl; FormatJS; gettext; vue-i18n; LinguiJS = lingui; next-intl; Fluent; Crowdin`,
}
