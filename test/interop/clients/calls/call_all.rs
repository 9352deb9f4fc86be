// Asks every example question with the client of progenitor, and prints one field of each answer; arguments are address and key.
use reqwest::header::{HeaderMap, HeaderValue};

progenitor::generate_api!(spec = "openapi-3.0.json", interface = Builder);

type Failure = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let given: Vec<String> = std::env::args().collect();
    let headers = HeaderMap::from_iter([("x-api-key".parse()?, HeaderValue::from_str(&given[2])?)]);
    let http = reqwest::Client::builder().default_headers(headers).build()?;
    let client = Client::new_with_client(&given[1], http);

    let county = client.price_by_county().zip("85326").limit("1").class("steers").weight("550").history("4").send().await?;
    println!("priceByCounty {}", county.records[0].price_avg.ok_or("no price")?);
    let state = client.price_by_state().state(types::StateCode::Tx).limit("1").send().await?;
    let types::StatePriceAnswerRecordsItem::StatePrice(price) = &state.records[0] else { return Err("no price of a state".into()) };
    println!("priceByState {}", price.price_avg.ok_or("no price")?);
    let latest = client.latest_prices().lat("33.33").lon("-112.65").limit("1").send().await?;
    let types::LatestPriceAnswerRecordsItem::LatestPrice(price) = &latest.records[0] else { return Err("no price of a venue".into()) };
    println!("latestPrices {}", price.venue_name.as_ref().ok_or("no venue")?);
    let directory = client.cattle_sale_barn_directory().state(types::StateCode::Tx).limit("1").send().await?;
    println!("cattleSaleBarnDirectory {}", directory.records[0].venue_name.as_ref().ok_or("no venue")?);
    let barns = client.barns().state(types::StateCode::Az).status("active").limit("1").send().await?;
    println!("barns {}", barns.records[0].lat.ok_or("no place")?);
    let dealers = client.dealers_stats().limit("1").send().await?;
    println!("dealersStats {}", dealers.summary.total_entities.ok_or("no number")?);
    let address = client.address_lookup().address("116 W Bluestem Rd").state(types::StateOrProvince::Tx).send().await?;
    println!("addressLookup {}", address.property.parcel_uid);
    let number = client.parcel_id_lookup().parcel_id("48143-R000990003").send().await?;
    println!("parcelIdLookup {}", number.property.county);
    let near = client.location_search().latitude("33.33").longitude("-112.93").radius("0.5").use_("agriculture").limit("1").send().await?;
    println!("locationSearch {}", near.metadata.total);
    let owner = client.owner_search().owner("ranch").state(types::StateOrProvince::Az).limit("1").send().await?;
    println!("ownerSearch {}", owner.metadata.total);
    let coverage = client.coverage().state(types::StateOrProvince::Tx).send().await?;
    println!("coverage {}", coverage.states[0].parcels);
    Ok(())
}
