// Asks every example question with the client of oapi-codegen, and prints one field of each answer; arguments are address and key.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"interop/cattle"
)

// got ends the program at a failed call, and at an answer that is no 200.
func got[Answer interface{ StatusCode() int }](answer Answer, fault error) Answer {
	if fault != nil {
		log.Fatal(fault)
	}
	if answer.StatusCode() != 200 {
		log.Fatalf("status %d: %+v", answer.StatusCode(), answer)
	}
	return answer
}

// chosen returns a record of a union as one of its kinds, and ends the program if it is not readable as that.
func chosen[Record any](record Record, fault error) Record {
	if fault != nil {
		log.Fatal(fault)
	}
	return record
}

func say(operation string, field any) { fmt.Println(operation, field) }

func of[Value any](value Value) *Value { return &value }

func main() {
	withKey := cattle.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("X-API-Key", os.Args[2])
		return nil
	})
	client, fault := cattle.NewClientWithResponses(os.Args[1], withKey)
	if fault != nil {
		log.Fatal(fault)
	}
	ctx, one, texas, arizona := context.Background(), of("1"), of(cattle.StateCodeTX), of(cattle.StateCodeAZ)
	texasLand, arizonaLand := of(cattle.StateOrProvinceTX), of(cattle.StateOrProvinceAZ)
	county := got(client.PriceByCountyWithResponse(ctx, &cattle.PriceByCountyParams{
		Zip: of("85326"), Limit: one, Class: of("steers"), Weight: of("550"), History: of("4"),
	}))
	say("priceByCounty", *county.JSON200.Records[0].PriceAvg)
	state := got(client.PriceByStateWithResponse(ctx, &cattle.PriceByStateParams{State: texas, Limit: one}))
	say("priceByState", *chosen(state.JSON200.Records[0].AsStatePrice()).PriceAvg)
	latest := got(client.LatestPricesWithResponse(ctx, &cattle.LatestPricesParams{Lat: of("33.33"), Lon: of("-112.65"), Limit: one}))
	say("latestPrices", *chosen(latest.JSON200.Records[0].AsLatestPrice()).VenueName)
	directory := got(client.CattleSaleBarnDirectoryWithResponse(ctx, &cattle.CattleSaleBarnDirectoryParams{State: texas, Limit: one}))
	say("cattleSaleBarnDirectory", *directory.JSON200.Records[0].VenueName)
	barns := got(client.BarnsWithResponse(ctx, &cattle.BarnsParams{State: arizona, Status: of("active"), Limit: one}))
	say("barns", *barns.JSON200.Records[0].Lat)
	dealers := got(client.DealersStatsWithResponse(ctx, &cattle.DealersStatsParams{Limit: one}))
	say("dealersStats", *dealers.JSON200.Summary.TotalEntities)
	address := got(client.AddressLookupWithResponse(ctx, &cattle.AddressLookupParams{Address: "116 W Bluestem Rd", State: texasLand}))
	say("addressLookup", address.JSON200.Property.ParcelUid)
	number := got(client.ParcelIdLookupWithResponse(ctx, &cattle.ParcelIdLookupParams{ParcelId: "48143-R000990003"}))
	say("parcelIdLookup", number.JSON200.Property.County)
	near := got(client.LocationSearchWithResponse(ctx, &cattle.LocationSearchParams{
		Latitude: "33.33", Longitude: "-112.93", Radius: of("0.5"), Use: of("agriculture"), Limit: one,
	}))
	say("locationSearch", near.JSON200.Metadata.Total)
	owner := got(client.OwnerSearchWithResponse(ctx, &cattle.OwnerSearchParams{Owner: of("ranch"), State: arizonaLand, Limit: one}))
	say("ownerSearch", owner.JSON200.Metadata.Total)
	coverage := got(client.CoverageWithResponse(ctx, &cattle.CoverageParams{State: texasLand}))
	say("coverage", coverage.JSON200.States[0].Parcels)
}
