import {distanceMiles, type Point} from "@open-cattle/parcel-outlines";
import {type PartScore, type PlaceName, placeName} from "@open-cattle/us-address";
import {isNear, type Place} from "./place-table.ts";
import {
  countiesNamedAs,
  countiesOfZip,
  hasPlaces,
  isNearPlace,
  placeNamed,
  placeOf,
  placesOfCounty,
  placesOfZip,
  postOffices,
} from "./postal-places.ts";

/** The place of a row: its postal city, its ZIP and its county key; null where unknown. */
export type RowPlace = {
  readonly city: string | null;
  readonly zip: string | null;
  readonly county: string | null;
  readonly point?: Point | null;
  /** Places that the row's source file covers, when it does not cover whole counties. */
  readonly covered?: readonly string[] | undefined;
};

/**
 * How well a row's place fits the one asked for: the scored parts, and whether only the county was
 * recognised.
 */
export type PlaceMatch = {readonly parts: readonly PartScore[]; readonly byCounty: boolean};

type Part = PartScore | "reject" | null;

const anywhere: PlaceMatch = {parts: [], byCounty: false};

const weight = 0.05;
const equal: PartScore = {weight, score: 1, note: null};
const unknown: PartScore = {weight, score: 0.5, note: "city_unknown"};
const unchecked: PartScore = {weight, score: 0.5, note: "locality_unchecked"};
const corrected: PartScore = {weight, score: 0.5, note: "city_corrected"};
const otherCity: PartScore = {weight, score: 0.3, note: "city differs"};
const otherZip: PartScore = {weight, score: 0.3, note: "ZIP differs"};

/**
 * Compares the city and ZIP of a query with the places of rows (docs/design/parcels.md section 7). Without a
 * state, and in counties without a table of places, no row can be ruled out.
 */
export class PlaceQuestion {
  private readonly city: string | null;
  private readonly name: PlaceName;
  private readonly zip: string | null;
  private readonly state: string | null;
  private readonly known = new Map<string, PlaceMatch | null>();
  private counties: readonly string[] | null = null;
  private isMisspeltPlace: boolean | null = null;
  private offices: readonly Place[] | null = null;
  private knownPlace: Place | null | undefined;
  private countiesOfZip: readonly string[] | null | undefined;
  private readonly fits = new Map<string, "inside" | "near" | "elsewhere" | "unknown">();

  constructor(
    {city, zip}: {readonly city: string | null; readonly zip: string | null},
    state: string | null,
  ) {
    this.name = placeName(city);
    this.city = this.name.key === "" ? null : city;
    this.zip = zip === null || zip === "" ? null : zip.slice(0, 5);
    this.state = state;
  }

  /** The known place of the city. Like the counties of the ZIP it is looked up on demand, because most rows name both themselves. */
  private get place(): Place | null {
    const {city, state} = this;
    if (this.knownPlace === undefined)
      this.knownPlace = city === null || state === null ? null : placeNamed(state, this.name);
    return this.knownPlace;
  }

  private get zipCounties(): readonly string[] | null {
    if (this.countiesOfZip === undefined)
      this.countiesOfZip = this.zip === null ? null : countiesOfZip(this.zip);
    return this.countiesOfZip;
  }

  /** Compares with a row; null when the row is in a different place. */
  compare(row: RowPlace): PlaceMatch | null {
    if (this.city === null && this.zip === null) return anywhere;
    const key = `${row.city}|${row.zip}|${row.county}`;
    const before = this.known.get(key);
    if (before !== undefined) return before;
    const match = this.matchOf(row);
    if (this.isNamedBy(row)) this.known.set(key, match);
    return match;
  }

  /**
   * True when the row's own city and ZIP, as far as the query asks for them, decide. Any other row is placed
   * by its source or point.
   */
  private isNamedBy({city, zip}: RowPlace): boolean {
    const hasCity = this.city === null || (city !== null && /[A-Za-z0-9]/.test(city));
    return hasCity && (this.zip === null || (zip !== null && zip !== ""));
  }

  private matchOf(row: RowPlace): PlaceMatch | null {
    const zip = this.compareZip(row);
    if (zip === otherZip && this.isOtherCity(row)) return null;
    const city = this.compareCity(row, zip?.score === 1);
    if (city === "reject") return null;
    if (zip === otherZip && !this.outweighsZip(city, row)) return null;
    return {
      parts: [city, zip].filter((part) => part !== null),
      byCounty: city === corrected && row.city !== null && !this.isNearCity(row.city),
    };
  }

  private compareZip(row: RowPlace): PartScore | null {
    if (this.zip === null) return null;
    const {zip, county} = row;
    if (zip !== null && zip !== "") return zip.slice(0, 5) === this.zip ? equal : otherZip;
    // Evidence in this order: the row's own city, the places of its file, its point, its county.
    const own = row.city === null || this.state === null ? null : placeOf(this.state, row.city);
    const offices = this.zipPlaces();
    if (own?.zips.has(this.zip) === true) return equal;
    if (row.covered?.length === 1 && offices.some(({name}) => name.key === placeName(row.covered![0]!).key))
      return equal;
    const near = this.nearness(row, offices);
    if (near !== "unknown") return near === "here" ? equal : otherZip;
    const isElsewhere =
      county !== null && hasPlaces(county) && this.zipCounties !== null && !this.zipCounties.includes(county);
    if (isElsewhere) return otherZip;
    return this.zipCounties === null ? unknown : unchecked;
  }

  /** Compares a row's point with the post offices or the town that the query names. */
  private nearness({point}: RowPlace, places: readonly Place[]): Nearness {
    if (point === undefined || point === null || this.state === null) return "unknown";
    return nearnessOf(point, places, this.state);
  }

  private zipPlaces(): readonly Place[] {
    this.offices ??= this.zip === null || this.state === null ? [] : placesOfZip(this.state, this.zip);
    return this.offices;
  }

  /** True when a row has a city different from the one asked for; a ZIP mismatch then rules it out. */
  private isOtherCity({city}: RowPlace): boolean {
    const own = placeName(city);
    return own.key !== "" && own.key !== this.name.key && !isNear(this.name, own);
  }

  /**
   * True when a different ZIP is forgiven: the city agrees, unless the ZIP fits that city in another county.
   */
  private outweighsZip(city: Part, row: RowPlace): boolean {
    const agrees = city === equal || (city === corrected && this.isNearCity(row.city ?? ""));
    if (!agrees) return false;
    const {zipCounties, place} = this;
    const isElsewhere = zipCounties !== null && row.county !== null && !zipCounties.includes(row.county);
    if (!isElsewhere) return true;
    return place !== null && !zipCounties.some((county) => place.counties.has(county));
  }

  private compareCity(row: RowPlace, zipAgrees: boolean): Part {
    if (this.city === null) return null;
    const own = placeName(row.city);
    if (own.key === "") return this.cityAlone(row, zipAgrees);
    if (own.key === this.name.key) return equal;
    const isNearOwn = isNear(this.name, own);
    if (zipAgrees) return isNearOwn ? corrected : otherCity;
    if (this.place !== null) return this.knownCity(row, isNearOwn);
    if (isNearOwn) return corrected;
    const fit = row.county === null ? "unknown" : this.fitOf(row.county);
    return fit === "near" ? corrected : fit === "elsewhere" ? "reject" : otherCity;
  }

  /**
   * Places a row without a city by its ZIP, the places of its file, its point and its county, in this order.
   */
  private cityAlone(row: RowPlace, zipAgrees: boolean): Part {
    const {place} = this;
    const zip = row.zip?.slice(0, 5) ?? "";
    if (place?.zips.has(zip) === true || (zipAgrees && place?.zips.has(this.zip!) === true)) return equal;
    if (this.isZipOfOthers(zip)) return zipAgrees ? otherCity : "reject";
    const covered = (row.covered ?? []).map(placeName);
    const isCovered = covered.some(({key}) => key === this.name.key);
    if (isCovered && covered.length === 1) return equal;
    // The row's file covers other places than the known one asked for.
    if (place !== null && covered.length > 0 && !isCovered) return "reject";
    const near = place === null ? "unknown" : this.nearness(row, [place]);
    if (near !== "unknown") return near === "here" ? equal : "reject";
    const fit = row.county === null ? "unknown" : this.fitOf(row.county);
    if (fit === "near") return corrected;
    if (fit === "elsewhere") return "reject";
    return place === null ? unknown : unchecked;
  }

  /** True for a row's ZIP that belongs to other places only, where the known city of the query has ZIPs of its own. */
  private isZipOfOthers(zip: string): boolean {
    const {place, state} = this;
    if (place === null || state === null || zip === "" || place.zips.size === 0) return false;
    return !place.zips.has(zip) && placesOfZip(state, zip).length > 0;
  }

  /**
   * The query names a known city and the row a different one. Rejects the row when its city is also a known
   * place; otherwise it may be a misspelling or a remark.
   */
  private knownCity(row: RowPlace, isNearOwn: boolean): Part {
    const {city, county} = row;
    if (county === null) return "reject";
    const own = placeOf(this.state!, city!);
    if (own !== null) return this.sharesPost(row, own) ? otherCity : "reject";
    return this.fitOf(county) === "inside" ? (isNearOwn ? corrected : otherCity) : "reject";
  }

  /**
   * True when two known places may be one town and its postal city: the row's ZIP is the other's, or the town
   * has no post office and is the county itself (Queens) or nearest to the office of the other (Manhattan).
   */
  private sharesPost({zip, county}: RowPlace, own: Place): boolean {
    const place = this.place!;
    if (zip !== null && place.zips.has(zip.slice(0, 5))) return true;
    if (place.zips.size > 0 === own.zips.size > 0) return false;
    const [town, office] = place.zips.size === 0 ? [place, own] : [own, place];
    if (town === place && countiesNamedAs(this.city!, this.state!).includes(county!)) return true;
    return nearestOffice(town, county!, this.state!) === office;
  }

  private isNearCity(city: string): boolean {
    return isNear(this.name, placeName(city));
  }

  private fitOf(county: string): "inside" | "near" | "elsewhere" | "unknown" {
    const found = this.fits.get(county) ?? this.fitIn(county);
    this.fits.set(county, found);
    return found;
  }

  /** How the city of the query, by its name alone, relates to a county. */
  private fitIn(county: string): "inside" | "near" | "elsewhere" | "unknown" {
    const {city, state, place} = this;
    if (city === null || state === null) return "unknown";
    if (place !== null) {
      const isOpen = place.counties.size === 0 || !hasPlaces(county);
      return isOpen || place.counties.has(county) ? "inside" : "elsewhere";
    }
    this.counties ??= countiesNamedAs(city, state);
    if (this.counties.length > 0) return this.counties.includes(county) ? "near" : "elsewhere";
    if (placesOfCounty(county).some((name) => isNear(this.name, name))) return "near";
    this.isMisspeltPlace ??= isNearPlace(state, this.name);
    return this.isMisspeltPlace && hasPlaces(county) ? "elsewhere" : "unknown";
  }
}

/** The place with a post office that is nearest to a town, in a county where the town lies. */
function nearestOffice(town: Place, county: string, state: string): Place | null {
  const {point, counties} = town;
  if (point === null || !counties.has(county)) return null;
  let [nearest, least]: [Place | null, number] = [null, Number.POSITIVE_INFINITY];
  for (const name of placesOfCounty(county)) {
    const place = placeNamed(state, name);
    if (place === null || place.zips.size === 0 || place.point === null) continue;
    const miles = distanceMiles(point, place.point);
    if (miles < least) [nearest, least] = [place, miles];
  }
  return nearest;
}

/** Whether a point belongs to a place, belongs elsewhere, or is too close to the boundary to tell. */
type Nearness = "here" | "elsewhere" | "unknown";

/** A place within `nearMiles` always counts as near; only one beyond `farMiles` may count as far. */
const nearMiles = 6;
const farMiles = 12;

/**
 * Whether a point may belong to one of the places (`docs/design/parcels.md` section 7). Rural routes reach
 * far, so the distance is compared with that to the nearest post office. Unknown when no place has a point.
 */
function nearnessOf(point: Point, places: readonly Place[], state: string): Nearness {
  const toPlaces = places.flatMap(({point: middle}) =>
    middle === null ? [] : [distanceMiles(point, middle)],
  );
  if (toPlaces.length === 0) return "unknown";
  const miles = Math.min(...toPlaces);
  if (miles <= nearMiles) return "here";
  const toOffice = Math.min(...postOffices(state).map((office) => distanceMiles(point, office)));
  if (miles <= 2 * toOffice) return "here";
  return miles > Math.max(farMiles, 4 * toOffice) ? "elsewhere" : "unknown";
}
