/** A rectangle in percent of the whole. */
export type Rectangle = { x: number; y: number; width: number; height: number }

/**
 * Divides a box into rectangles whose areas are in the ratio of the values, as square as possible (Bruls, Huizing, van
 * Wijk: Squarified Treemaps, 2000), which they are if the largest values come first. `ratio`: width of the box to its
 * height.
 */
export function treemap(values: readonly number[], ratio: number): Rectangle[] {
  const whole = values.reduce((sum, value) => sum + value, 0)
  if (whole <= 0) return []
  const areas = values.map(value => (value / whole) * ratio)
  const tiles: Rectangle[] = []
  const box = { x: 0, y: 0, width: ratio, height: 1 }
  for (let at = 0; at < areas.length;) {
    const side = Math.min(box.width, box.height)
    let count = 1
    while (
      at + count < areas.length &&
      worst(areas.slice(at, at + count + 1), side) <= worst(areas.slice(at, at + count), side)
    )
      count++
    tiles.push(...layOut(areas.slice(at, at + count), box))
    at += count
  }
  return tiles.map(({ x, y, width, height }) => ({
    x: (100 * x) / ratio,
    y: 100 * y,
    width: (100 * width) / ratio,
    height: 100 * height,
  }))
}

/** The ratio of the sides of the least square rectangle of a row. */
function worst(row: readonly number[], side: number): number {
  const depth = row.reduce((sum, area) => sum + area, 0) / side
  return Math.max(...row.map(area => Math.max(depth / (area / depth), area / depth / depth)))
}

/** Lays a row along the shorter side of the box, which shrinks by it. */
function layOut(row: readonly number[], box: Rectangle): Rectangle[] {
  const sum = row.reduce((total, area) => total + area, 0)
  const isUpright = box.width >= box.height
  const depth = sum / (isUpright ? box.height : box.width)
  let along = isUpright ? box.y : box.x
  const tiles = row.map(area => {
    const length = area / depth
    const tile = isUpright
      ? { x: box.x, y: along, width: depth, height: length }
      : { x: along, y: box.y, width: length, height: depth }
    along += length
    return tile
  })
  if (isUpright) Object.assign(box, { x: box.x + depth, width: box.width - depth })
  else Object.assign(box, { y: box.y + depth, height: box.height - depth })
  return tiles
}
