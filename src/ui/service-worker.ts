declare const ASSETS: readonly string[]
console.log(ASSETS)
